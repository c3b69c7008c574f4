// The texts that an agent receives: the page's tree or what changed in it, and the lines that a person would look for there.
import type { Line } from "../bridge/page/lines.ts";

/** What a text holds beside what is said of the call; each in lines. */
export interface Sections {
  /** The page as a whole, so that nothing said earlier counts any more. */
  page?: string[];
  delta?: string[];
  /** Hits of a search, each under its path. */
  found?: string[];
}

/** A line that is looked for: as the tree writes it, states in any order (`[!checked]`: without that one), or by its words. */
export interface Wanted {
  line: string | RegExp;
  /** Words that tell its row, item or part from the others. */
  within?: string;
}

const STATE = / \[[^\]"]*(?:"(?:[^"\\]|\\.)*")?\]/g;

/** Items of lists: a word in one of these says nothing of the next one. */
const ITEMS = new Set(["row", "listitem", "option", "article", "treeitem", "menuitem", "tab", "radio"]);

/** Parts of one item, though they are alike. */
const PARTS = new Set(["cell", "gridcell", "rowheader", "columnheader", "text", "paragraph", "generic"]);

/** What these say is news of any line, and names none. */
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

/** The lines up to the next empty one. */
function blockAt(lines: readonly string[], from: number): string[] {
  const end = lines.indexOf("", from);
  return lines.slice(from, end < 0 ? lines.length : end);
}

/** What a delta says, without what only says where: each line that holds no other, and each list of what is gone. */
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

/** Whether a line is the one that is looked for, its place aside. */
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

/** Whether a line, or the nearest of what it stands in, holds the words; what a like part beside it holds does not count. */
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

/** Whether it holds the words itself. */
export function holdsWords(line: Line, words: string): boolean {
  return holdsSaid(line, saying(words));
}

function holdsSaid(at: Line, said: RegExp): boolean {
  return said.test(at.text) || at.children.some((each) => !ITEMS.has(each.role) && holdsSaid(each, said));
}

const saying = (words: string) => new RegExp(`(?<!\\w)${RegExp.escape(words)}(?!\\w)`);

/** What a line stands in, from the inside out; the page is none of it. */
export function outwards({ parent }: Line): Line[] {
  return parent?.parent === undefined ? [] : [parent, ...outwards(parent)];
}

export function shown({ line, within }: Wanted): string {
  return within === undefined ? String(line) : `${line} of ${JSON.stringify(within)}`;
}

/** Its states and attributes, and the rest. */
function bare(text: string): [string[], string] {
  return [text.match(STATE) ?? [], text.replace(STATE, "")];
}

/** `textbox "Name"` looks for that line whatever it holds; with a text behind the colon, for that one. */
function startsLike(text: string, wanted: string): boolean {
  return !/: /.test(wanted.replace(/"(?:[^"\\]|\\.)*"/g, "")) && text.startsWith(`${wanted}: `);
}
