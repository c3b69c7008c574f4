// The texts that an agent receives, as lines in lines: trees, deltas, and what is said around them.

/** A line of a text with those indented below it. */
export interface Line {
  /** Without its markers: `button "Save" [ref=e3]`, or the place that a delta's part stands in. */
  text: string;
  role: string;
  ref: string | undefined;
  /** Says only where the lines in it stand. */
  isPlace: boolean;
  /** In place of what it stands, where it changed: by its ref, or its role and words; empty where that is not said. */
  replaces: string | undefined;
  parent: Line | undefined;
  inside: Line[];
}

export interface Outline {
  /** In the order of the text. */
  lines: Line[];
  /** The elements that it says are gone, as written. */
  removed: string[];
  /** Holds the page as a whole, so that nothing said earlier counts any more. */
  isPage: boolean;
}

/** A line that is looked for: as the tree writes it, states in any order (`[!checked]`: without that one), or by its words. */
export interface Wanted {
  line: string | RegExp;
  /** Words that tell its row, item or part from the others. */
  within?: string;
}

const REF = /\[(?:expand with browser_snapshot )?ref=((?:f\d+_)?e\d+)/;
const STATE = / \[[^\]"]*(?:"(?:[^"\\]|\\.)*")?\]/g;

const REMOVED = /^removed from (?:"(?:[^"\\]|\\.)*"|[^":])*: (.*)$/;

/** A place, and where in it a part came, or what that was. */
const PLACE = /^([~+] in (?:"(?:[^"\\]|\\.)*"|[^"])*?)(?: after | before |, was ).*:$/;

/** Items of lists: a word in one of these says nothing of the next one. */
const ITEMS = new Set(["row", "listitem", "option", "article", "treeitem", "menuitem", "tab", "radio"]);

/** Parts of one item, though they are alike. */
const PARTS = new Set(["cell", "gridcell", "rowheader", "columnheader", "text", "paragraph", "generic"]);

export function outline(text: string): Outline {
  const made: Outline = {
    lines: [],
    removed: [],
    isPage: /^Page "[^\n]*\n\n/m.test(text) && !/^\d+ found/m.test(text),
  };
  const open: { indent: number; line: Line }[] = [];
  for (const raw of text.split("\n")) {
    const [, gone] = REMOVED.exec(raw) ?? [];
    if (gone !== undefined) made.removed.push(gone);
    const [, before = "", said] = /^((?:[~+] )? *(?:- |in ))(.*)$/.exec(raw.replace(PLACE, "$1:")) ?? [];
    if (gone !== undefined || said === undefined) continue;
    const indent = before.startsWith(" ") || before.startsWith("-") ? before.length : 0;
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const parent = open.at(-1)?.line;
    const replaces = raw.startsWith("~ in ") ? (/, was ([^,]*):$/.exec(raw)?.[1] ?? "") : undefined;
    const isPlace = before.endsWith("in ");
    const line = {
      text: said,
      isPlace,
      role: roleOf(said),
      ref: REF.exec(said)?.[1],
      replaces,
      parent,
      inside: [],
    };
    parent?.inside.push(line);
    made.lines.push(line);
    open.push({ indent, line });
  }
  return made;
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
  const said = new RegExp(`(?<!\\w)${RegExp.escape(words)}(?!\\w)`);
  const holds = (at: Line): boolean =>
    said.test(at.text) || at.inside.some((each) => !ITEMS.has(each.role) && holds(each));
  const isBeside = (each: Line, from: Line) => each.role !== from.role || PARTS.has(each.role);
  return (
    holds(line) ||
    [line, ...outwards(line)].some(
      (from) =>
        from.parent !== undefined &&
        (said.test(from.parent.text) ||
          from.parent.inside.some((each) => !ITEMS.has(each.role) && isBeside(each, from) && holds(each))),
    )
  );
}

export function outwards({ parent }: Line): Line[] {
  return parent === undefined ? [] : [parent, ...outwards(parent)];
}

export function shown({ line, within }: Wanted): string {
  return within === undefined ? String(line) : `${line} of ${JSON.stringify(within)}`;
}

const roleOf = (text: string) => text.split(/[ :]/, 1)[0] ?? "";

/** Its states and attributes, and the rest. */
function bare(text: string): [string[], string] {
  return [text.match(STATE) ?? [], text.replace(STATE, "")];
}

/** `textbox "Name"` looks for that line whatever it holds; with a text behind the colon, for that one. */
function startsLike(text: string, wanted: string): boolean {
  return !/: /.test(wanted.replace(/"(?:[^"\\]|\\.)*"/g, "")) && text.startsWith(`${wanted}: `);
}
