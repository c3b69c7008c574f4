// Decides if a file's content is a text that a reader can be shown at once.
import { spelledOut } from "./quote.ts";

/** About 5,000 tokens. */
const INLINE_BYTES_MAX = 20_000;

/** Returns the text with its control characters spelled out; undefined for a long one, or if it is none. */
export function inlineText(content: Uint8Array): string | undefined {
  if (content.length > INLINE_BYTES_MAX || content.some(isControl)) return undefined;
  try {
    return spelledOut(new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
}

/** Tabs and ends of lines and pages belong to texts. Other control characters could steer a terminal. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d);
}
