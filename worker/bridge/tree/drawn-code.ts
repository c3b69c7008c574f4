// The code that an editor draws for the eye alone, beside a field that takes what is typed and does not hold all of it.

import { firstElementOf, nextElementOf, styleOf, textContentOf } from "../dom/dom.ts";

const LINES_MAX = 500;

/** The lines that a hidden part of an editor draws, from top to bottom; empty where the part is no text to write in. */
export function drawnCode(part: Element): string {
  if (styleOf(part).cursor !== "text") return "";
  const lines: { top: number; text: string }[] = [];
  for (let line = firstElementOf(part); line !== null && lines.length < LINES_MAX; line = nextElementOf(line))
    lines.push({ top: Number.parseFloat(styleOf(line).top) || 0, text: textContentOf(line) ?? "" });
  // An editor makes lines as they come into view: their order in the document says nothing.
  lines.sort((a, b) => a.top - b.top);
  return lines
    .map(({ text }) => text)
    .join("\n")
    .replaceAll("\u00a0", " ");
}
