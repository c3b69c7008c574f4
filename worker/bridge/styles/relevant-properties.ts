// Knows the properties that a line of the tree depends on, and what declarations set them to. They show or hide
// elements, separate texts or affect the pointer.

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

/** Returns what declarations set the relevant properties to, or undefined if they set none. */
export function relevantValues(style: CSSStyleDeclaration): readonly string[] | undefined {
  const values = MATTERING.map((property) => style.getPropertyValue(property));
  return values.some((value) => value !== "") ? values : undefined;
}

/** Reports if declarations still set the relevant properties to these values. */
export function stillSays(style: CSSStyleDeclaration, values: readonly string[]): boolean {
  return MATTERING.every((property, index) => style.getPropertyValue(property) === values[index]);
}

/** Reports if an animation's keyframe sets any relevant property. */
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
