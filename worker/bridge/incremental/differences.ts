// Where two trees differ: what changed, came and went, each in the item that it lies in. Parts that are the same object in
// both are not looked at.

import type { Item, Node } from "../tree/item.ts";
import { hasLinesBelow, inlineText, sizeOf } from "../tree/print.ts";
import { alignment } from "./alignment.ts";

/** An item of both trees, with what differs on its line and directly in it. */
export interface Difference {
  old: Item;
  now: Item;
  /** What it lies in; undefined for the top. */
  outer: Difference | undefined;
  /** Where it stood among the lines in that, and where it stands. */
  at: number;
  nowAt: number;
  /** The lines in it, as they were and are. */
  before: readonly Node[];
  after: readonly Node[];
  /** For each line where it was before; -1 for those that came. */
  was: readonly number[];
  isLineNew: boolean;
  /** In the order of the lines. */
  parts: Part[];
}

export type Part =
  | { kind: "inside"; difference: Difference }
  /** A text or a fold that says something else. */
  | { kind: "leaf"; at: number; nowAt: number }
  | { kind: "came"; from: number; to: number }
  | { kind: "went"; nodes: readonly number[] };

/**
 * All items that differ, each after what it lies in, the top first. Undefined where so much came and changed that it is
 * more than so many lines.
 */
export function differencesBetween(old: Item, now: Item, linesMax: number): Difference[] | undefined {
  const all = [differenceOf(old, now, undefined, 0, 0)];
  let lines = 0;
  // The list grows while it is gone through.
  for (const difference of all) {
    lines += compare(difference, all);
    if (lines > linesMax) return undefined;
  }
  return all;
}

function differenceOf(old: Item, now: Item, outer: Difference | undefined, at: number, nowAt: number) {
  const before = linesBelow(old);
  const after = linesBelow(now);
  const isLineNew = outer !== undefined && !isSameLine(old, now);
  return { old, now, outer, at, nowAt, before, after, was: [], isLineNew, parts: [] } satisfies Difference;
}

/** The nodes that have lines of their own below the item's. The top itself has no line. */
export function linesBelow(item: Item): readonly Node[] {
  return item.role === "" || hasLinesBelow(item) ? item.children : [];
}

/** Finds what differs directly in an item; how many lines that is. */
function compare(difference: Difference, all: Difference[]): number {
  const { before, after, parts } = difference;
  const { was, gone } = alignment(before, after);
  difference.was = was;
  let lines = difference.isLineNew ? 1 : 0;
  let from = 0;
  const came = (to: number) => {
    if (to > from) parts.push({ kind: "came", from, to });
    for (let at = from; at < to; at++) lines += Math.max(1, sizeOf(after[at] as Node));
  };
  for (let nowAt = 0; nowAt < after.length; nowAt++) {
    const at = was[nowAt] as number;
    if (at < 0) continue;
    came(nowAt);
    from = nowAt + 1;
    const [old, now] = [before[at] as Node, after[nowAt] as Node];
    if (old === now) continue;
    if (old.kind === "element" && now.kind === "element") {
      const inside = differenceOf(old, now, difference, at, nowAt);
      all.push(inside);
      parts.push({ kind: "inside", difference: inside });
    } else if (old.kind !== "element" && now.kind !== "element" && old.text !== now.text) {
      parts.push({ kind: "leaf", at, nowAt });
      lines += 1;
    }
  }
  came(after.length);
  if (gone.length > 0) parts.push({ kind: "went", nodes: gone });
  return lines;
}

function isSameLine(a: Item, b: Item): boolean {
  return (
    a.role === b.role &&
    a.name === b.name &&
    a.states === b.states &&
    a.ref === b.ref &&
    a.attributes === b.attributes &&
    inlineText(a) === inlineText(b) &&
    hasLinesBelow(a) === hasLinesBelow(b)
  );
}
