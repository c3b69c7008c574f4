// Chooses which of an element's children are shown if there is no room for all. Children that show a page's purpose and
// its possible actions stay longest. Texts go first, then long runs, then controls, and headings with landmarks last.

import { LANDMARKS, WIDGETS } from "../aria/role-names.ts";
import type { Node } from "./item.ts";
import { hasLinesBelow } from "./print.ts";

/** A part of a list of siblings, shown or folded. A fold of like siblings says what they are. */
export interface Stretch {
  from: number;
  to: number;
  like: string | undefined;
  /** The stretch is a single line that is left out alone. The line of its fold takes as much room. */
  isLine: boolean;
}

type Rank = "outline" | "control" | "content" | "text";

/** For each unit of width, so many neighbours and so many siblings are shown. */
const SHARES: Record<Rank, { run: number; all: number }> = {
  outline: { run: 8, all: 8 },
  control: { run: 4, all: 4 },
  // Alternating siblings of different kinds may be shown this many times as often as siblings of one kind.
  content: { run: 1, all: 4 },
  text: { run: 1 / 4, all: 1 },
};
const RANKS = Object.keys(SHARES) as Rank[];

/** A run has neighbours of one kind. */
export interface Run {
  from: number;
  to: number;
  kind: string;
  rank: Rank;
  /** The node is only one line. */
  isLeaf: boolean;
}

/** `unread`: the number of further nodes of the last kind. */
export function runsOf(children: readonly Node[], unread = 0): Run[] {
  const runs: Run[] = [];
  let last: Run | undefined;
  for (const [at, node] of children.entries()) {
    const kind = kindOf(node);
    const rank = rankOf(node);
    if (last?.kind === kind && last.rank === rank) last.to = at + 1;
    else {
      last = { from: at, to: at + 1, kind, rank, isLeaf: node.kind !== "element" || !hasLinesBelow(node) };
      runs.push(last);
    }
  }
  if (last !== undefined) last.to += unread;
  return runs;
}

/** Shows the first nodes of each run from `offset` on, and of each rank as many as the width allows. */
export function stretches(runs: readonly Run[], offset: number, width: number): Stretch[] {
  const result: Stretch[] = [];
  const rooms = { outline: 0, control: 0, content: 0, text: 0 };
  for (const rank of RANKS) rooms[rank] = Math.ceil(SHARES[rank].all * width);
  for (const run of runs) {
    if (run.to <= offset) continue;
    const from = Math.max(run.from, offset);
    const seen = from + shownOf(run, run.to - from, rooms[run.rank], width);
    rooms[run.rank] -= seen - from;
    if (seen > from) show(result, from, seen);
    if (seen < run.to) fold(result, { from: seen, to: run.to, like: seen > from ? run.kind : "" }, run);
  }
  if (result.at(-1)?.isLine) show(result, runs.at(-1)?.to ?? 0, runs.at(-1)?.to ?? 0);
  return result;
}

function shownOf({ rank }: Run, count: number, room: number, width: number): number {
  const most = Math.min(Math.max(1, Math.floor(SHARES[rank].run * width)), Math.max(0, room));
  return most > 0 && count <= most + 1 ? count : most;
}

function show(result: Stretch[], from: number, to: number): void {
  const last = result.at(-1);
  if (last !== undefined && (last.like === undefined || last.isLine)) {
    last.to = to;
    last.like = undefined;
    last.isLine = false;
  } else result.push({ from, to, like: undefined, isLine: false });
}

/** Neighbours that are left out share one fold. */
function fold(result: Stretch[], { from, to, like }: Omit<Stretch, "isLine">, { isLeaf }: Run): void {
  const last = result.at(-1);
  if (last?.like === undefined) result.push({ from, to, like, isLine: isLeaf && to - from === 1 });
  else {
    last.to = to;
    last.like = "";
    last.isLine = false;
  }
}

function kindOf(node: Node): string {
  return node.kind === "element" ? node.role : node.kind === "words" ? "text" : "part";
}

const TEXTS = new Set([
  ..."paragraph blockquote code figure img caption definition note math".split(" "),
  ..."time mark emphasis strong insertion deletion subscript superscript".split(" "),
]);

function rankOf(node: Node): Rank {
  if (node.kind !== "element") return node.kind === "words" ? "text" : "control";
  if (node.role === "heading" || LANDMARKS.has(node.role)) return "outline";
  if (node.ref !== 0) return WIDGETS.has(node.role) ? "control" : "content";
  return TEXTS.has(node.role) || (node.role === "generic" && !hasLinesBelow(node)) ? "text" : "content";
}
