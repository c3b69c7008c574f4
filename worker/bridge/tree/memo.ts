// What each element gave when it was last looked at, used again for as long as nothing that it depends on changed.

import type { Item, Node } from "./item.ts";

export interface Memo {
  /**
   * The nodes that the element gave in the same circumstances. Where it has to be looked at again, it is forgotten: it
   * may give nothing this time. `fresh`: all in this place has to be.
   */
  take(el: Element, circumstances: number, fresh: boolean): readonly Node[] | Item | undefined;
  /** Keeps what the element gave: all that `children` has got from this index on. */
  keep(el: Element, circumstances: number, children: readonly Node[], from: number): void;
  /** Nothing inside the element may be used again. */
  isDeep(el: Element): boolean;
}

interface Kept {
  circumstances: number;
  nodes: readonly Node[];
}

/** Most elements give one item or nothing: then the item itself is kept, in the circumstances that it remembers. */
export type Keeper = WeakMap<Element, Kept | Item>;

/** Elements to look at again; true: with all inside. */
export type Dirty = ReadonlyMap<Element, boolean>;

/** `dirty`: undefined where nothing was kept yet. */
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
    isDeep: (el) => dirty?.get(el) === true,
  };
}
