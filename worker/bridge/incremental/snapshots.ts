// The trees that were told lately, by number: what changed is told against them, and what is acted on is compared with
// what was told of it.

import type { Item } from "../tree/item.ts";

export interface Snapshots {
  /**
   * The number of the document's tree, a new one where it is another than the last. `passing`: for a watcher, whose many
   * looks are not to push out what the session was told.
   */
  keep(top: Item, passing?: boolean): number;
  /** The number of a part that was looked at by itself. */
  keepPart(top: Item): number;
  /** Which passing trees are not to go before others: elements may be acted on as they stood in them. */
  hold(numbers: readonly number[]): void;
  get(snapshot: number): Item | undefined;
  /** The document's that are kept, the newest first. */
  newestFirst(): Item[];
  /** The number of the document's newest tree, 0 before the first. */
  newest(): number;
}

interface Kept {
  top: Item;
  isPart: boolean;
  isPassing: boolean;
  /** How many items it has that the tree before it has not. */
  fresh: number;
}

/** So many are always kept, whatever their size. */
const KEPT_MIN = 4;
const KEPT_MAX = 64;
const PASSING_MAX = 24;
/** Of pages that change much fewer are kept: so many items in all. */
const ITEMS_MAX = 300_000;

export function createSnapshots(): Snapshots {
  const kept = new Map<number, Kept>();
  let newest = 0;
  let last = 0;
  let held: ReadonlySet<number> = new Set();

  const add = (each: Kept): number => {
    kept.set(++last, each);
    const { passing, waiting, told } = ranked();
    const drop = (number: number) => number !== newest && kept.delete(number);
    for (const number of [...passing.slice(0, -PASSING_MAX), ...told.slice(0, -KEPT_MAX)]) drop(number);
    for (const number of [...passing, ...waiting, ...told]) {
      if (kept.size <= KEPT_MIN || itemsIn([...kept.values()]) <= ITEMS_MAX) break;
      drop(number);
    }
    return last;
  };

  /** The oldest first: what passes by, what is held although it does, and what the session was told. */
  const ranked = () => {
    const ranks: Record<"passing" | "waiting" | "told", number[]> = { passing: [], waiting: [], told: [] };
    for (const [number, { isPassing }] of kept)
      ranks[isPassing ? (held.has(number) ? "waiting" : "passing") : "told"].push(number);
    return ranks;
  };

  return {
    keep(top, passing = false) {
      const before = kept.get(newest);
      if (before?.top === top) {
        before.isPassing &&= passing;
        return newest;
      }
      newest = last + 1;
      const fresh = before === undefined ? top.size : freshIn(top, before.top);
      return add({ top, isPart: false, isPassing: passing, fresh });
    },
    keepPart: (top) => add({ top, isPart: true, isPassing: false, fresh: top.size }),
    hold(numbers) {
      held = new Set(numbers);
    },
    get: (snapshot) => kept.get(snapshot)?.top,
    newestFirst: () => [...kept.values()].flatMap(({ top, isPart }) => (isPart ? [] : [top])).reverse(),
    newest: () => newest,
  };
}

// The oldest tree is there whole, of later ones what they do not share.
function itemsIn([oldest, ...later]: readonly Kept[]): number {
  return later.reduce((sum, { fresh }) => sum + fresh, oldest?.top.size ?? 0);
}

/** A child that is shared is a place in a list, not an item. */
const SHARED_SHARE = 1 / 16;

/** How many items of a tree are not those of the one before. */
function freshIn(now: Item, before: Item): number {
  let fresh = 0;
  const pairs: [now: Item, before: Item][] = [[now, before]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [young, old] = pair;
    const shared = new Set(old.children);
    const byElement = new Map(old.children.map((node) => [node.el, node]));
    fresh += 1 + young.children.length * SHARED_SHARE;
    for (const child of young.children) {
      if (child.kind !== "element" || shared.has(child)) continue;
      const was = byElement.get(child.el);
      if (was?.kind === "element") pairs.push([child, was]);
      else fresh += 1 + child.size;
    }
  }
  return Math.round(fresh);
}
