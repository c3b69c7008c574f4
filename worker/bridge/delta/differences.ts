// Finds the differences of two trees: the nodes that changed, came and went, each in its item. Parts that are the same
// object in both trees are skipped.

import type { Item, Node } from "../tree/item.ts";
import { hasLinesBelow, inlineText, sizeOf } from "../tree/print.ts";
import { alignment } from "./alignment.ts";

/** An item of both trees, with the differences on its line and directly in it. */
export interface Difference {
  old: Item;
  now: Item;
  /** The difference around it, or undefined for the top. */
  outer: Difference | undefined;
  /** The old and the new index among the lines of the outer item. */
  at: number;
  nowAt: number;
  /** The old and the new lines in it. */
  before: readonly Node[];
  after: readonly Node[];
  /** Has the old index of each line, or -1 for a line that came. */
  was: readonly number[];
  isLineNew: boolean;
  /** The parts are in the order of the lines. */
  parts: Part[];
}

export type Part =
  | { kind: "inside"; difference: Difference }
  /** A text or a fold has changed. */
  | { kind: "leaf"; at: number; nowAt: number }
  | { kind: "came"; from: number; to: number }
  | { kind: "went"; nodes: readonly number[] };

/**
 * Returns all items that differ, the top first, each after the item around it. It returns undefined if more than
 * `linesMax` lines came and changed.
 */
export function differencesBetween(old: Item, now: Item, linesMax: number): Difference[] | undefined {
  const all = [differenceOf(old, now, undefined, 0, 0)];
  let lines = 0;
  // The list grows during the loop.
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

/** Returns the nodes with their own lines below the item's line. The top itself has no line. */
export function linesBelow(item: Item): readonly Node[] {
  return item.role === "" || hasLinesBelow(item) ? item.children : [];
}

/** Finds the differences directly in an item, and returns the number of their lines. */
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
