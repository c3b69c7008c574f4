// Quotes a text of many lines, such as a file of a page. A mark before each line says that the words are the page's.
import { cut, spelledOut } from "../../proto/text/quote.ts";

const CONTROLS = /[\p{Cc}]/gu;

/** Returns the text's lines with the mark. No line can pass for one of ours, and nothing in it for a ref. */
export function quotedLines(text: string, lengthMax: number): string {
  return cut(text, lengthMax)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${withoutRefs(spelledOut(line.replace(CONTROLS, controlText)))}`)
    .join("\n");
}

/** Changes the bracket before each `ref=` and before each call that opens a fold. */
export function withoutRefs(text: string): string {
  return text.replace(/\[(?=ref=|expand with browser_snapshot )/gi, "(");
}

function controlText(control: string): string {
  return control === "\t" ? "  " : `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
