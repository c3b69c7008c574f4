// Finds the address of a script's source map: in its last comment or in its header (ECMA-426, 11.1).
import type { Resource } from "./resource.ts";

/** The beginning of the comment, up to its name. */
const BEGINNING = /\/[/*][#@][ \t]{0,5}$/;
const NAME = "sourceMappingURL=";
const BEFORE_NAME = 10;
/** The end of the address. */
const END = /[\s'"*]/;

/** Returns the address as the script names it. Undefined if it names no map. */
export function sourceMapUrl({ text, headers }: Resource): string | undefined {
  return inComment(text) ?? headers.sourcemap ?? headers["x-sourcemap"];
}

/** Returns the absolute address of a map that a script at that address names. Undefined for a malformed address. */
export function resolved(named: string, scriptUrl: string): string | undefined {
  return URL.canParse(named, scriptUrl) ? new URL(named, scriptUrl).href : undefined;
}

/** Reads each character once, because a page may write anything, and at any length. */
function inComment(text: string): string | undefined {
  const at = text.lastIndexOf(NAME);
  if (at < 0 || !BEGINNING.test(text.slice(Math.max(0, at - BEFORE_NAME), at))) return undefined;
  const rest = text.slice(at + NAME.length);
  const line = rest.indexOf("\n");
  if (line >= 0 && rest.slice(line).trim() !== "") return undefined;
  const end = rest.search(END);
  const url = end < 0 ? rest : rest.slice(0, end);
  return url === "" ? undefined : url;
}
