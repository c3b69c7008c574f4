// Gathers every change of the document and its open shadow roots since the last pass, up to a bound.

export interface Mutations {
  /** Watches a root from now on. */
  watch(root: Node): void;
  /** Returns the changes since the last call, or undefined if there were more than the bound. */
  take(): MutationRecord[] | undefined;
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

export function watchMutations(roots: () => Iterable<Node>): Mutations {
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
  return {
    watch: (root) => observer.observe(root, WATCHED),
    take() {
      add(observer.takeRecords());
      const taken = lost ? undefined : records;
      if (lost) for (const root of roots()) observer.observe(root, WATCHED);
      lost = false;
      records = [];
      return taken;
    },
    any() {
      add(observer.takeRecords());
      return lost || records.length > 0;
    },
  };
}
