// The trees that were told lately, by number: what changed is told against them, and what is acted on is compared with
// what was told of it.

import type { Item } from "./item.ts";

export interface Snapshots {
  /** The number of the document's tree, a new one where it is another than the last. */
  keep(top: Item): number;
  /** The number of a part that was looked at by itself. */
  keepPart(top: Item): number;
  get(snapshot: number): Item | undefined;
  /** All that are kept, the newest first. */
  newestFirst(): Item[];
  /** The number of the document's newest tree, 0 before the first. */
  newest(): number;
}

/** So many are always kept, whatever their size. */
const KEPT_MIN = 4;
const KEPT_MAX = 48;
/** Of larger pages fewer are kept: so many items in all, as if the trees had none in common. */
const ITEMS_MAX = 200_000;

export function createSnapshots(): Snapshots {
  const kept = new Map<number, Item>();
  let newest = 0;
  let last = 0;
  let items = 0;

  const add = (top: Item) => {
    kept.set(++last, top);
    items += top.size;
    for (const [number, tree] of kept) {
      if (kept.size <= KEPT_MIN || (kept.size <= KEPT_MAX && items <= ITEMS_MAX)) break;
      if (number === newest) continue;
      kept.delete(number);
      items -= tree.size;
    }
    return last;
  };

  return {
    keep(top) {
      if (kept.get(newest) === top) return newest;
      newest = last + 1;
      return add(top);
    },
    keepPart: add,
    get: (snapshot) => kept.get(snapshot),
    newestFirst: () => [...kept.values()].reverse(),
    newest: () => newest,
  };
}
