// Runs in the bridge's world. It keeps large trees that share nothing with each other.

import { createSnapshots } from "../../../worker/bridge/incremental/snapshots.ts";
import type { Item } from "../../../worker/bridge/tree/item.ts";
import { newItem } from "../../../worker/bridge/tree/item.ts";

const ITEMS = 20_000;

/**
 * Reports which trees are still kept: the session's, a watcher's held one and the watcher's first other one. It reports
 * this before and after many trees for the session.
 */
export function keepTrees(): { watched: boolean[]; told: boolean[] } {
  const snapshots = createSnapshots();
  const told = snapshots.keep(largeTree());
  const held = snapshots.keep(largeTree(), true);
  snapshots.hold([held]);
  const first = snapshots.keep(largeTree(), true);
  const areKept = () => [told, held, first].map((each) => snapshots.get(each) !== undefined);
  for (let at = 0; at < 40; at++) snapshots.keep(largeTree(), true);
  const watched = areKept();
  for (let at = 0; at < 40; at++) snapshots.keep(largeTree());
  return { watched, told: areKept() };
}

/** Returns how many of the trees are still kept if each of them grows after it was kept. */
export function keepGrowing(): number {
  const snapshots = createSnapshots();
  const numbers = Array.from({ length: 30 }, () => {
    const top = largeTree();
    const number = snapshots.keep({ ...top, size: 1_000, children: top.children.slice(0, 1_000) });
    const kept = snapshots.get(number);
    if (kept !== undefined) Object.assign(kept, top);
    return number;
  });
  return numbers.filter((number) => snapshots.get(number) !== undefined).length;
}

function largeTree(): Item {
  const leaf = () => newItem(document.createElement("p"), "paragraph", "");
  return { ...leaf(), size: ITEMS, children: Array.from({ length: ITEMS }, leaf) };
}

Object.assign(globalThis, { keepTrees, keepGrowing });
