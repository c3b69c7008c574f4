// Finds a page's own words in the lines of a tree, so that a text can be read on from line to line.
import type { Segment } from "./folded-text.ts";

/** A line of a tree or delta: role, quoted name, attributes in brackets, and the text after the colon. */
const LINE = /^\s*(?:[~+] )?- [a-z]+(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]\n]*\])*)(?:: ?(.*))?$/dgm;

/** Returns the places of names and texts; none for a text without a tree. */
export function wordsOf(text: string): Segment[] {
  const words: Segment[] = [];
  for (const { indices = [] } of text.matchAll(LINE))
    for (const part of [indices[1], indices[3]]) if (part && part[1] > part[0]) words.push(part);
  return words;
}
