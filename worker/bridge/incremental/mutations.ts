// Gathers every change of the document and its open shadow roots since the last pass, up to a bound.

export interface Mutations {
  /** Begins to watch all roots, if it has not begun before. */
  begin(): void;
  /** Watches a root from now on. */
  watch(root: Node): void;
  /** Returns the changes since the last call, or undefined if there were more than the bound. */
  take(): MutationRecord[] | undefined;
  /** Returns the same, but they stay for the next call. */
  seen(): readonly MutationRecord[] | undefined;
  /** Reports if there were changes since the last call. */
  any(): boolean;
}

/** Beyond this number, the page is read anew. Until then it is no longer watched. */
const RECORDS_MAX = 20_000;

const WATCHED: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
};

export function createMutations(roots: () => Iterable<Node>): Mutations {
  // Delivered records are kept, because they would otherwise be lost between two passes.
  let records: MutationRecord[] = [];
  let lost = false;
  const observer = new MutationObserver((delivered) => add(delivered));
  const add = (delivered: readonly MutationRecord[]) => {
    if (lost) return;
    if (records.length + delivered.length <= RECORDS_MAX) {
      for (const record of delivered) records.push(record);
      return;
    }
    lost = true;
    records = [];
    observer.disconnect();
  };
  const watchAll = () => {
    for (const root of roots()) observer.observe(root, WATCHED);
  };
  let isBegun = false;
  return {
    begin() {
      if (!isBegun) watchAll();
      isBegun = true;
    },
    watch(root) {
      if (isBegun) observer.observe(root, WATCHED);
    },
    take() {
      add(observer.takeRecords());
      const taken = lost ? undefined : records;
      if (lost) watchAll();
      lost = false;
      records = [];
      return taken;
    },
    seen() {
      add(observer.takeRecords());
      return lost ? undefined : records;
    },
    any() {
      add(observer.takeRecords());
      return lost || records.length > 0;
    },
  };
}
