// Finds the nodes that two lists of children share in the same order.

import type { Node } from "../tree/item.ts";

export interface Alignment {
  /** Has the old index of each new node, or -1 for a node that came or moved here. */
  was: number[];
  /** Has the old indices of nodes that are no longer in the list, or have moved in it. */
  gone: number[];
}

export function alignment(old: readonly Node[], now: readonly Node[]): Alignment {
  const was = new Array<number>(now.length).fill(-1);
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && isSame(old[head] as Node, now[head] as Node)) was[head] = head++;
  let tail = 0;
  while (
    tail < most - head &&
    isSame(old[old.length - 1 - tail] as Node, now[now.length - 1 - tail] as Node)
  ) {
    tail += 1;
    was[now.length - tail] = old.length - tail;
  }
  const gone = alignMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail), was, head);
  return { was, gone };
}

function isSame(a: Node, b: Node): boolean {
  return a === b || (a.el === b.el && a.kind === b.kind);
}

// The longest run that keeps its order counts as unchanged. All other shared nodes have moved.
function alignMiddle(old: readonly Node[], now: readonly Node[], was: number[], at: number): number[] {
  if (old.length === 0) return [];
  const ids = new Map<Element, number>();
  const places = new Map(keysOf(old, ids).map((key, index) => [key, index]));
  const found = keysOf(now, ids).map((key) => places.get(key) ?? -1);
  const stays = new Set<number>();
  for (const index of longestRise(found)) {
    const oldIndex = found[index] as number;
    stays.add(oldIndex);
    was[at + index] = at + oldIndex;
  }
  return old.flatMap((_node, index) => (stays.has(index) ? [] : [at + index]));
}
// Texts of the same element are distinguished by their order.
function keysOf(nodes: readonly Node[], ids: Map<Element, number>): string[] {
  const counts = new Map<string, number>();
  return nodes.map(({ el, kind }) => {
    const id = ids.get(el) ?? ids.size;
    ids.set(el, id);
    const key = `${kind} ${id}`;
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count === 0 ? key : `${key} ${count}`;
  });
}

/** Returns the indices of a longest strictly rising subsequence of the values. Values below 0 are left out. */
function longestRise(values: readonly number[]): number[] {
  const ends: number[] = [];
  const before = new Array<number>(values.length).fill(-1);
  for (const [index, value] of values.entries()) {
    if (value < 0) continue;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = ends[low - 1] as number;
    ends[low] = index;
  }
  const rise: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number) rise.push(index);
  return rise.reverse();
}
