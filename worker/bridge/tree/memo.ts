// Keeps the nodes that each element gave when it was last read. They are used again until something changes that they
// depend on.

import type { Item, Node } from "./item.ts";

export interface Memo {
  /**
   * Returns the nodes that the element gave in the same circumstances. An element that must be read again is forgotten,
   * because it may give nothing this time. With `fresh`, everything at this position must be read again.
   */
  take(el: Element, circumstances: number, fresh: boolean): readonly Node[] | Item | undefined;
  /** Keeps what the element gave: the entries of `children` from this index on. */
  keep(el: Element, circumstances: number, children: readonly Node[], from: number): void;
  /** Reports if an earlier pass has read the element. */
  has(el: Element): boolean;
  /** Reports if nothing inside the element may be used again. */
  isDeep(el: Element): boolean;
}

interface Kept {
  circumstances: number;
  nodes: readonly Node[];
}

/** Most elements give one item or nothing. Then the item itself is kept, and it remembers its circumstances. */
export type Keeper = WeakMap<Element, Kept | Item>;

/** These elements must be read again. A true value includes all inside. */
export type Dirty = ReadonlyMap<Element, boolean>;

/** `dirty` is undefined if nothing was kept yet. */
export function createMemo(keeper: Keeper, dirty: Dirty | undefined): Memo {
  const isNew = dirty === undefined;
  return {
    take(el, circumstances, fresh) {
      if (isNew) return undefined;
      const kept = keeper.get(el);
      if (kept === undefined) return undefined;
      if (!fresh && !dirty?.has(el) && kept.circumstances === circumstances)
        return "kind" in kept ? kept : kept.nodes;
      keeper.delete(el);
      return undefined;
    },
    keep(el, circumstances, children, from) {
      const only = children.length === from + 1 ? children[from] : undefined;
      if (only?.kind === "element" && only.el === el) {
        only.circumstances = circumstances;
        keeper.set(el, only);
      } else keeper.set(el, { circumstances, nodes: children.slice(from) });
    },
    has: (el) => keeper.has(el),
    isDeep: (el) => dirty?.get(el) === true,
  };
}
