// Keeps the recently delivered trees by number. A delta is written against them, and an action's element is compared
// with its delivered form.

import type { Item, Node } from "../tree/item.ts";

export interface Snapshots {
  /**
   * Returns the number of the document's tree, a new number if the tree is a new one. `passing` is for a watcher: its
   * many trees must not push out those of the session.
   */
  keep(top: Item, passing?: boolean): number;
  /** Returns the number for a part that was read by itself. */
  keepPart(top: Item): number;
  /** Keeps these passing trees longer than others, because clients may act on elements as these trees show them. */
  hold(numbers: readonly number[]): void;
  /** Keeps these trees of the session until others are pinned, however many follow. */
  pin(numbers: readonly number[]): void;
  get(snapshot: number): Item | undefined;
  /** Returns the kept trees of the document, the newest first. */
  newestFirst(): Item[];
  /** Returns the number of the document's newest tree, or 0 before the first. */
  newest(): number;
}

interface Kept {
  top: Item;
  isPart: boolean;
  isPassing: boolean;
  /** The number of items that the tree does not share with the tree before it. */
  fresh: number;
  /** The number of all its items then. Unread rows are added later. */
  size: number;
}

type Rank = "passing" | "waiting" | "delivered" | "needed";

/** At least this many trees are kept, whatever their size. */
const KEPT_MIN = 4;
const KEPT_MAX = 64;
const PASSING_MAX = 24;
/** Fewer trees of a page that changes much are kept, with at most this many items together. */
const ITEMS_MAX = 300_000;

export function createSnapshots(): Snapshots {
  const kept = new Map<number, Kept>();
  let newest = 0;
  let last = 0;
  let held: ReadonlySet<number> = new Set();
  let pinned: ReadonlySet<number> = new Set();

  const add = (each: Kept): number => {
    kept.set(++last, each);
    const { passing, waiting, delivered, needed } = ranked();
    const drop = (number: number) => number !== newest && kept.delete(number);
    for (const number of [...passing.slice(0, -PASSING_MAX), ...delivered.slice(0, -KEPT_MAX)]) drop(number);
    for (const number of [...passing, ...waiting, ...delivered, ...needed]) {
      if (kept.size <= KEPT_MIN || itemsIn([...kept.values()]) <= ITEMS_MAX) break;
      drop(number);
    }
    return last;
  };

  /**
   * Returns the trees from the oldest: passing ones, passing ones that are held, those of the session, and those of
   * them that are pinned.
   */
  const ranked = () => {
    const ranks: Record<Rank, number[]> = { passing: [], waiting: [], delivered: [], needed: [] };
    for (const [number, { isPassing }] of kept) {
      if (isPassing) ranks[held.has(number) ? "waiting" : "passing"].push(number);
      else ranks[pinned.has(number) ? "needed" : "delivered"].push(number);
    }
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
      return add({ top, isPart: false, isPassing: passing, fresh, size: top.size });
    },
    keepPart: (top) => add({ top, isPart: true, isPassing: false, fresh: top.size, size: top.size }),
    hold(numbers) {
      held = new Set(numbers);
    },
    pin(numbers) {
      pinned = new Set(numbers);
    },
    get: (snapshot) => kept.get(snapshot)?.top,
    newestFirst: () => [...kept.values()].flatMap(({ top, isPart }) => (isPart ? [] : [top])).reverse(),
    newest: () => newest,
  };
}

// The oldest tree counts whole. Later ones count only the items that they do not share.
function itemsIn([oldest, ...later]: readonly Kept[]): number {
  return later.reduce((sum, { fresh, size, top }) => sum + fresh + top.size - size, oldest?.top.size ?? 0);
}

/** A shared child is an entry in a list, not an item. */
const SHARED_SHARE = 1 / 16;

/** Counts the items of a tree that are not items of the tree before. */
function freshIn(now: Item, before: Item): number {
  let fresh = 0;
  const pairs: [now: Item, before: Item][] = [[now, before]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [young, old] = pair;
    fresh += 1 + young.children.length * SHARED_SHARE;
    const { came, left } = withoutEnds(young.children, old.children);
    const shared = new Set(left);
    const byElement = new Map(left.map((node) => [node.el, node]));
    for (const child of came) {
      if (child.kind !== "element" || shared.has(child)) continue;
      const was = byElement.get(child.el);
      if (was?.kind === "element") pairs.push([child, was]);
      else fresh += 1 + child.size;
    }
  }
  return Math.round(fresh);
}

/** Returns what is left of two lists between the nodes that both begin and end with. Most of a long list is the same. */
function withoutEnds(now: readonly Node[], before: readonly Node[]): { came: Node[]; left: Node[] } {
  const most = Math.min(now.length, before.length);
  let head = 0;
  while (head < most && now[head] === before[head]) head++;
  let tail = 0;
  while (tail < most - head && now.at(-1 - tail) === before.at(-1 - tail)) tail++;
  return { came: now.slice(head, now.length - tail), left: before.slice(head, before.length - tail) };
}
