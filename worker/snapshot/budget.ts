// Cuts a text to a number of tokens, at a line. A first line says so.

/** A token is about four characters. */
const CHARACTERS_PER_TOKEN = 4;
/** Halves the budget for a page in an action's reply: the client has not asked to see all of it. */
export function halfOf(maxTokens: number): number {
  return Math.ceil(maxTokens / 2);
}

/** The least room for a tree, in characters, however long the lines around it are. */
const ROOM_MIN = 200;

/** The approximate length of a page's own lines around its tree, in characters. */
const AROUND = 400;

/** Returns how many characters remain for a tree below these lines. Undefined means no bound. */
export function roomBelow(head: readonly string[], maxTokens: number): number | undefined {
  if (maxTokens === 0) return undefined;
  const around = lengthOf(head) + Math.min(AROUND, maxTokens);
  return Math.max(ROOM_MIN, maxTokens * CHARACTERS_PER_TOKEN - around);
}

/** Writes the line before a tree with omitted elements, at least so many. `ways`: how to see them. */
export function leftLine(left: number, ways: string): string {
  return `… at least ${left.toLocaleString("en-US")} element${left === 1 ? "" : "s"} left out: ${ways}`;
}

/** A reply's text in its parts. Only the tree is cut. */
export interface ReplyParts {
  head: readonly string[];
  tree: string;
  tail: readonly string[];
  /** How to see the omitted parts. */
  ways?: string;
}

/** Returns true if the tree's lines do not all fit. */
export function isCut(parts: ReplyParts, maxTokens: number): boolean {
  return maxTokens !== 0 && parts.tree.length >= roomFor(parts, maxTokens);
}

function roomFor({ head, tail }: ReplyParts, maxTokens: number): number {
  return Math.max(ROOM_MIN, maxTokens * CHARACTERS_PER_TOKEN - lengthOf(head) - lengthOf(tail));
}

/** Returns the text within the budget. `maxTokens` 0 lifts the bound. */
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

/** Returns whole lines, or the beginning of the first line if not even that fits. */
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
