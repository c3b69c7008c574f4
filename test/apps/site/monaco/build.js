// Its workers are left out: it then does their work itself.
export default { define: { "process.env.NODE_ENV": '"production"' } };
