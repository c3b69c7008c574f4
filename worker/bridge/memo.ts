// What each element gave when it was last looked at, used again for as long as nothing that it depends on changed.

import type { Node } from "./item.ts";

export interface Memo {
  /**
   * The nodes that the element gave in the same circumstances. Where it has to be looked at again, it is forgotten: it
   * may give nothing this time. `fresh`: all in this place has to be.
   */
  take(el: Element, circumstances: number, fresh: boolean): readonly Node[] | undefined;
  keep(el: Element, circumstances: number, nodes: readonly Node[]): void;
  /** Nothing inside the element may be used again. */
  isDeep(el: Element): boolean;
}

interface Kept {
  circumstances: number;
  nodes: readonly Node[];
}

export type Keeper = WeakMap<Element, Kept>;

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
      if (!fresh && !dirty?.has(el) && kept.circumstances === circumstances) return kept.nodes;
      keeper.delete(el);
      return undefined;
    },
    keep: (el, circumstances, nodes) => keeper.set(el, { circumstances, nodes }),
    isDeep: (el) => dirty?.get(el) === true,
  };
}
