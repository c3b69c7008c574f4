// The trees that were told lately, by number: what changed is told against them.

import type { Item } from "./item.ts";

export interface Snapshots {
  /** The number of a tree, a new one where it is another than the last. */
  keep(top: Item): number;
  get(snapshot: number): Item | undefined;
}

const KEPT_MAX = 4;

export function createSnapshots(): Snapshots {
  const kept = new Map<number, Item>();
  let last = 0;
  return {
    keep(top) {
      if (kept.get(last) === top) return last;
      kept.set(++last, top);
      kept.delete(last - KEPT_MAX);
      return last;
    },
    get: (snapshot) => kept.get(snapshot),
  };
}
