// Reads the code that an editor draws only for the eye. The field beside it takes the typed text but does not hold all
// of the code.

import { firstElementOf, nextElementOf, styleOf, textContentOf } from "../dom/dom.ts";

const LINES_MAX = 500;

/**
 * Returns the lines that a hidden part of an editor draws, from top to bottom. It returns "" if the part is no text
 * area.
 */
export function drawnCode(part: Element): string {
  if (styleOf(part).cursor !== "text") return "";
  const lines: { top: number; text: string }[] = [];
  for (let line = firstElementOf(part); line !== null && lines.length < LINES_MAX; line = nextElementOf(line))
    lines.push({ top: Number.parseFloat(styleOf(line).top) || 0, text: textContentOf(line) ?? "" });
  // An editor makes lines as they come into view, so their order in the document means nothing.
  lines.sort((a, b) => a.top - b.top);
  return lines
    .map(({ text }) => text)
    .join("\n")
    .replaceAll("\u00a0", " ");
}
