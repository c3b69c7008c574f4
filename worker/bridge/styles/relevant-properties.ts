// The properties that a line of the tree depends on, by showing, parting or pointing; and what declarations say of them.

const MATTERING = [
  "display",
  "visibility",
  "content-visibility",
  "content",
  "cursor",
  "pointer-events",
  "position",
  "float",
  "-webkit-text-security",
];

/** What declarations say of the properties that matter; undefined where nothing. */
export function relevantValues(style: CSSStyleDeclaration): readonly string[] | undefined {
  const values = MATTERING.map((property) => style.getPropertyValue(property));
  return values.some((value) => value !== "") ? values : undefined;
}

/** Whether declarations say just these values of them. */
export function stillSays(style: CSSStyleDeclaration, values: readonly string[]): boolean {
  return MATTERING.every((property, index) => style.getPropertyValue(property) === values[index]);
}

/** Whether an animation's keyframe says anything of them. */
export function affectsTree(frame: ComputedKeyframe): boolean {
  return Object.keys(frame).some((name) => KEYFRAME_NAMES.has(name));
}

// Keyframes have names of their own: `cssFloat`, `contentVisibility`, `webkitTextSecurity`.
const KEYFRAME_NAMES = new Set(
  MATTERING.map((property) =>
    property === "float"
      ? "cssFloat"
      : property.replace(/^-/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ),
);
