// Makes lines that fit a terminal, whatever characters a page puts in them.
import { linesSpelledOut } from "../../../proto/text/quote.ts";

/** So many marks may stand above or below one letter. More of them cover the lines around it. */
const MARKS_MAX = 3;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, "gu");
const NO_WIDTH = /^[\p{M}\p{Cf}]$/u;
/** Wide and full-width characters of East Asia (UAX 11), and pictures. */
const WIDE =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** Returns the lines of a text without anything that moves the cursor. */
export function plainLines(text: string): string[] {
  return linesSpelledOut(text).replaceAll("\t", " ").replace(TOO_MANY_MARKS, "$1").split("\n");
}

/** Cuts a line to so many columns. */
export function fitted(line: string, columns: number): string {
  let width = 0;
  let end = 0;
  for (const character of line) {
    width += widthOf(character);
    if (width > columns) return `${cutAt(line.slice(0, end), columns)}…`;
    end += character.length;
  }
  return line;
}

/** Leaves one column for the ellipsis. */
function cutAt(line: string, columns: number): string {
  const characters = [...line];
  let width = characters.reduce((sum, character) => sum + widthOf(character), 0);
  while (width > Math.max(0, columns - 1)) width -= widthOf(characters.pop() ?? "");
  return characters.join("");
}

function widthOf(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
