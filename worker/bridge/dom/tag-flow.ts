// Which tags flow in a line of text unless a style says otherwise. Geometry and computed style are too dear to ask of
// each element; where it matters (two texts with no space between), the computed style is asked.

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

/** Whether text before and after the element is text of its own. */
export function isBlock(tag: string): boolean {
  return !INLINE.has(tag) && !tag.startsWith("svg:") && !tag.startsWith("math:") && !tag.includes("-");
}
