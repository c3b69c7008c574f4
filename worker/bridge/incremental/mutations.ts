// Every change of the document and its open shadow roots since the last look, up to a bound.

export interface Mutations {
  /** Watches a root from now on. */
  watch(root: Node): void;
  /** What changed since it was last asked; undefined where more changed than is remembered. */
  take(): MutationRecord[] | undefined;
  /** Whether anything changed since. */
  any(): boolean;
}

/** Beyond this the page is looked at anew, and is watched no longer until then. */
const RECORDS_MAX = 20_000;

const WATCHED: MutationObserverInit = {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
};

export function watchMutations(roots: () => Iterable<Node>): Mutations {
  // What an observer delivered is kept: else it would be lost between two looks.
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
