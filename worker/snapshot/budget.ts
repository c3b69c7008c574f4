// How much of a text is sent: at most so many tokens, cut at a line, with a first line that says so.

/** A token is about four characters. */
const CHARACTERS_PER_TOKEN = 4;
/** A page that comes with an action's reply takes so much of what a snapshot of it may take: nobody has asked to see all. */
export function halfOf(maxTokens: number): number {
  return Math.ceil(maxTokens / 2);
}

/** The least that is shown of a tree, whatever stands around it. */
const ROOM_MIN = 200;

/** What a page's own lines around its tree take, about. */
const AROUND = 400;

/** How many characters there are for a tree below these lines; undefined where there is no bound. */
export function roomBelow(head: readonly string[], maxTokens: number): number | undefined {
  if (maxTokens === 0) return undefined;
  const around = lengthOf(head) + Math.min(AROUND, maxTokens);
  return Math.max(ROOM_MIN, maxTokens * CHARACTERS_PER_TOKEN - around);
}

/** The line before a tree of which elements were left out. `ways`: how to see them. */
export function leftLine(left: number, all: number, ways: string): string {
  const [count, of] = [left, all].map((number) => number.toLocaleString("en-US"));
  return `… ${count} of ${of} elements left out: ${ways}`;
}

/** A reply's text in its parts: only the tree is cut. */
export interface ReplyParts {
  head: readonly string[];
  tree: string;
  tail: readonly string[];
  /** How to see what is left out. */
  ways?: string;
}

/** Whether there is no room for all lines of the tree. */
export function isCut(parts: ReplyParts, maxTokens: number): boolean {
  return maxTokens !== 0 && parts.tree.length >= roomFor(parts, maxTokens);
}

function roomFor({ head, tail }: ReplyParts, maxTokens: number): number {
  return Math.max(ROOM_MIN, maxTokens * CHARACTERS_PER_TOKEN - lengthOf(head) - lengthOf(tail));
}

/** The text within the budget. `maxTokens` 0 lifts the bound. */
export function withinBudget(parts: ReplyParts, maxTokens: number): string {
  const { head, tree, tail, ways = "browser_find finds in all of them" } = parts;
  if (!isCut(parts, maxTokens)) return joined(head, tree, tail);
  const room = roomFor(parts, maxTokens);
  const lines = tree.split("\n");
  const kept = firstLines(lines, room - cutLine(lines.length, lines.length, ways).length - 1);
  return joined([...head, cutLine(lines.length - kept.length, lines.length, ways)], kept.join("\n"), tail);
}

function joined(head: readonly string[], tree: string, tail: readonly string[]): string {
  return [...head, ...(tree === "" ? [] : [tree]), ...tail].join("\n");
}

/** Whole lines; where not even the first fits, its beginning. */
function firstLines(lines: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const [first = ""] = lines;
  return kept.length > 0 || room < 20 ? kept : [`${first.slice(0, room - 2)}…`];
}

function cutLine(left: number, all: number, ways: string): string {
  return `… ${left} of ${all} lines left out: ${ways}`;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
