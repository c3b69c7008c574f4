// Reads the text that a style sheet puts before or after an element's own.

import { attr, styleOf } from "../dom/dom.ts";
import type { PassCache } from "./pass-cache.ts";

/** Returns "" for nearly all elements. The private characters of icon fonts are no text. */
export function pseudoText(el: Element, which: "::before" | "::after", survey: PassCache): string {
  if (!survey.mayHave(el, "pseudo")) return "";
  const style = styleOf(el, which);
  const content = style.content;
  if (content === "none" || content === "normal" || content === "" || content === '""') return "";
  if (style.display === "none" || style.visibility !== "visible") return "";
  const text = contentText(content, (name) => attr(el, name) ?? "");
  return style.display === "inline" || text === "" ? text : ` ${text} `;
}

const PIECE = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)\s*\)|(\/)|(open-quote|close-quote)|[\w-]+\([^)]*\)/gs;

/** Returns the text of a computed `content`: its strings and attributes, or its alternative text after the slash. */
function contentText(content: string, attribute: (name: string) => string): string {
  let text = "";
  for (const [, string, name, slash, quote] of content.matchAll(PIECE)) {
    if (slash !== undefined) text = "";
    else if (string !== undefined) text += string.replace(/\\([0-9a-f]{1,6})\s?|\\(.)/gis, unescape);
    else if (name !== undefined) text += attribute(name);
    else if (quote !== undefined) text += '"';
  }
  return text.replace(/[\ue000-\uf8ff\u{f0000}-\u{10fffd}]/gu, "");
}

function unescape(_whole: string, hex: string | undefined, character: string | undefined): string {
  if (hex === undefined) return character ?? "";
  const point = Number.parseInt(hex, 16);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
}
