// Holds tabs whose process died, with their worker or alone, until they are open again.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import { DeliveredLines } from "../refs/delivered-lines.ts";
import type { TabMemory } from "../tab/tab.ts";

type LostTab = SessionRecord["tabs"][number];
/** Does the work when it is its turn. */
type InTurn = (work: () => Promise<void>) => Promise<void>;

/** The tabs that are left to be opened again, in order. */
export class TabsToRestore {
  #left: readonly LostTab[];
  /** Tabs that were closed to free memory. Each is opened again when a call asks for it, not with the others. */
  readonly #aside = new Map<string, LostTab>();
  /** The tabs that are opened again without their page. */
  readonly #blank = new Set<string>();
  #idNext: string | undefined;

  /** The known state of each tab's former page. */
  readonly #memories: Map<string, TabMemory>;

  constructor(left: readonly LostTab[] = [], memories = new Map<string, TabMemory>()) {
    this.#left = left;
    this.#memories = memories;
  }

  get left(): readonly LostTab[] {
    return this.#left;
  }

  /** The tabs that are opened again when a call asks for them. */
  get aside(): readonly LostTab[] {
    return [...this.#aside.values()];
  }

  /** How many tabs are not open, without the one that is being opened again. */
  get size(): number {
    return this.#left.filter(({ id }) => id !== this.#idNext).length + this.#aside.size;
  }

  setAside(tab: LostTab): void {
    this.#aside.set(tab.id, tab);
  }

  /** Queues a tab that a call asks for. `blank`: the caller opens an address in it itself. */
  recall(id: string, blank: boolean): void {
    const tab = this.#aside.get(id);
    if (!tab) return;
    this.#aside.delete(id);
    if (blank) this.#blank.add(id);
    this.add(tab);
  }

  /** Drops a tab. Returns false if it was not closed to free memory. */
  forget(id: string): boolean {
    this.#memories.delete(id);
    return this.#aside.delete(id);
  }

  /** Keeps what is known of a tab's page that is gone. */
  remember(id: string, memory: TabMemory): void {
    this.#memories.set(id, memory);
  }

  /** Returns what is known of the tab's former page. Undefined for a new tab. */
  takeMemory(id: string): TabMemory | undefined {
    const memory = this.#memories.get(id);
    this.#memories.delete(id);
    return memory;
  }

  /** Returns the records of all tabs that are not open. */
  records(open: readonly { id: string }[], currentId: string | undefined): LostTab[] {
    const lost = this.#left.filter(({ id }) => !open.some((tab) => tab.id === id));
    return [...lost, ...this.aside.map((tab) => ({ ...tab, current: tab.id === currentId }))];
  }

  /** Queues one more tab. */
  add(tab: LostTab): void {
    this.#left = [...this.#left, tab];
  }

  /** The tab that was the current one. */
  get currentId(): string | undefined {
    return this.#left.find(({ current }) => current)?.id;
  }

  /** The former id of the tab that is being opened again. */
  get idNext(): string | undefined {
    return this.#idNext;
  }

  /**
   * Opens one after the other, each `inTurn`. Tabs that could not be opened stay queued. `open`: takes the address, or
   * "" for an empty page.
   */
  async reopen(inTurn: InTurn, open: (url: string) => Promise<unknown>): Promise<void> {
    for (let [next] = this.#left; next; [next] = this.#left) {
      await inTurn(() => this.#reopen(next, open));
      this.#left = this.#left.slice(1);
    }
  }

  /** The turn may come late. Only from then on does the next page belong to this tab. */
  async #reopen({ id, url }: LostTab, open: (url: string) => Promise<unknown>): Promise<void> {
    this.#idNext = id;
    try {
      await open(this.#blank.delete(id) || url === "about:blank" ? "" : url);
    } finally {
      this.#idNext = undefined;
    }
  }
}

/** Returns what a dead worker knew of the tabs' pages. `delivered`: by tab, the delivered lines of its elements. */
export function memoriesOf(
  record: SessionRecord | undefined,
  delivered: ReadonlyMap<string, readonly string[]> = new Map(),
): Map<string, TabMemory> {
  const { tabs = [], typed = [] } = record ?? {};
  const memories = tabs.map(({ id }) => {
    const lost = typed.filter(({ tab }) => tab === id).map(({ field }) => field);
    return [id, { lines: new DeliveredLines(delivered.get(id)), lost }] as const;
  });
  return new Map(memories);
}
