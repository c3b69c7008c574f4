// Knows which tags flow in a line of text unless a style says otherwise. Geometry and computed style cost too much to
// ask of each element. The computed style is asked only if it matters: for two texts with no space between them.

const INLINE = new Set(
  [
    "a",
    "abbr",
    "acronym",
    "b",
    "bdi",
    "bdo",
    "big",
    "cite",
    "code",
    "data",
    "del",
    "dfn",
    "em",
    "font",
    "i",
    "ins",
  ]
    .concat([
      "kbd",
      "label",
      "map",
      "mark",
      "nobr",
      "output",
      "picture",
      "q",
      "rb",
      "rt",
      "ruby",
      "s",
      "samp",
      "slot",
    ])
    .concat(["small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"]),
);

/** Reports if the element separates the text before it from the text after it. */
export function isBlock(tag: string): boolean {
  return !INLINE.has(tag) && !tag.startsWith("svg:") && !tag.startsWith("math:") && !tag.includes("-");
}
