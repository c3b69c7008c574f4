// Parses the texts that an agent receives: the page's tree or its changes. Finds the lines that a person would look
// for.
import type { Line } from "../bridge/page/lines.ts";

/** A text's content without the words about the call, in lines. */
export interface Sections {
  /** The whole page. Nothing said earlier counts after it. */
  page?: string[];
  delta?: string[];
  /** Hits of a search, each under its path. */
  found?: string[];
}

/**
 * A line to look for. It is written as in the tree, with states in any order (`[!checked]`: without that one), or by
 * its words.
 */
export interface Wanted {
  line: string | RegExp;
  /** Words that single out its row, item or part. */
  within?: string;
}

const STATE = / \[[^\]"]*(?:"(?:[^"\\]|\\.)*")?\]/g;

/** Items of lists. A word in one of these says nothing about the next one. */
const ITEMS = new Set(["row", "listitem", "option", "article", "treeitem", "menuitem", "tab", "radio"]);

/** Parts of one item, though they are alike. */
const PARTS = new Set(["cell", "gridcell", "rowheader", "columnheader", "text", "paragraph", "generic"]);

/** Their text is news about any line and names none. */
const NEWS = new Set(["status", "alert", "log"]);

const ENTRY = /^(?:~ - |~ in |\+ in |removed from )/;

export function sectionsOf(text: string): Sections {
  const lines = text.split("\n");
  const head = lines.findIndex((line, at) => line.startsWith('Page "') && lines[at + 1] === "");
  const tree = head < 0 ? [] : blockAt(lines, head + 2);
  if (lines.some((line) => /^\d+ found/.test(line)))
    return { found: tree.map((line) => line.replace(/^( *)(?:- )?/, "$1- ")) };
  if (head >= 0) return { page: tree.filter((line) => /^ *- /.test(line)) };
  const first = lines.findIndex((line) => ENTRY.test(line));
  if (first < 0) return {};
  return { delta: blockAt(lines, first).filter((line) => ENTRY.test(line) || line.startsWith("  ")) };
}

/** Returns the lines up to the next empty one. */
function blockAt(lines: readonly string[], from: number): string[] {
  const end = lines.indexOf("", from);
  return lines.slice(from, end < 0 ? lines.length : end);
}

/** Returns a delta's statements without mere places: each line that holds no other, and each list of removed parts. */
export function changesIn({ delta = [] }: Sections): string[] {
  const depthOf = (line: string) => /^(?:~ (?=- ))? */.exec(line)?.[0].length ?? 0;
  return delta.flatMap((line, at) => {
    const [, gone] = /^removed from (?:"(?:[^"\\]|\\.)*"|[^":])*: (.*)$/.exec(line) ?? [];
    if (gone !== undefined) return [gone];
    const [, said] = /^(?:~ | +)- (.*)$/.exec(line) ?? [];
    const next = delta[at + 1] ?? "";
    return said === undefined || (next.startsWith("  ") && depthOf(next) > depthOf(line)) ? [] : [said];
  });
}

/** Returns true if a line matches, apart from its place. */
export function isLike({ text }: Line, wanted: string | RegExp): boolean {
  if (wanted instanceof RegExp) return wanted.test(text);
  const [states, bareWanted] = bare(wanted);
  const [has, bareText] = bare(text);
  return (
    (bareText === bareWanted || bareText === `${bareWanted}:` || startsLike(bareText, bareWanted)) &&
    states.every((state) =>
      state.startsWith(" [!") ? !has.includes(state.replace("!", "")) : has.includes(state),
    )
  );
}

/** Returns true if a line, or the nearest part around it, holds the words. A similar part beside it does not count. */
export function isWithin(line: Line, words: string): boolean {
  const said = saying(words);
  const holds = (at: Line) => holdsSaid(at, said);
  const isBeside = (each: Line, from: Line) =>
    !NEWS.has(each.role) && (each.role !== from.role || PARTS.has(each.role));
  return (
    holds(line) ||
    [line, ...outwards(line)].some(
      (from) =>
        from.parent?.parent !== undefined &&
        (said.test(from.parent.text) ||
          from.parent.children.some((each) => !ITEMS.has(each.role) && isBeside(each, from) && holds(each))),
    )
  );
}

/** Returns true if the line itself holds the words. */
export function holdsWords(line: Line, words: string): boolean {
  return holdsSaid(line, saying(words));
}

function holdsSaid(at: Line, said: RegExp): boolean {
  return said.test(at.text) || at.children.some((each) => !ITEMS.has(each.role) && holdsSaid(each, said));
}

const saying = (words: string) => new RegExp(`(?<!\\w)${RegExp.escape(words)}(?!\\w)`);

/** Returns the parts around a line, from the inside out, without the page. */
export function outwards({ parent }: Line): Line[] {
  return parent?.parent === undefined ? [] : [parent, ...outwards(parent)];
}

export function shown({ line, within }: Wanted): string {
  return within === undefined ? String(line) : `${line} of ${JSON.stringify(within)}`;
}

/** Splits a text into its states and attributes, and the rest. */
function bare(text: string): [string[], string] {
  return [text.match(STATE) ?? [], text.replace(STATE, "")];
}

/** `textbox "Name"` matches that line whatever it holds. With a text behind the colon, it matches that text. */
function startsLike(text: string, wanted: string): boolean {
  return !/: /.test(wanted.replace(/"(?:[^"\\]|\\.)*"/g, "")) && text.startsWith(`${wanted}: `);
}
