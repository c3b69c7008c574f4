// Its themes are exported as styles alone.
export default { conditions: ["style", "module"] };
