// Tabs whose process died, with their worker or alone, until they are open again.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import { DeliveredLines } from "../refs/delivered-lines.ts";
import type { TabMemory } from "../tab/tab.ts";

type LostTab = SessionRecord["tabs"][number];
/** Does the work when it is its turn. */
type InTurn = (work: () => Promise<void>) => Promise<void>;

/** What is left to be opened again, in order. */
export class TabsToRestore {
  #left: readonly LostTab[];
  /** Closed to free memory: each is opened again when it is asked for, not with the others. */
  readonly #aside = new Map<string, LostTab>();
  /** Those that are opened again without their page. */
  readonly #blank = new Set<string>();
  #idNext: string | undefined;

  /** By tab: of the pages that were there. */
  readonly #memories: Map<string, TabMemory>;

  constructor(left: readonly LostTab[] = [], memories = new Map<string, TabMemory>()) {
    this.#left = left;
    this.#memories = memories;
  }

  get left(): readonly LostTab[] {
    return this.#left;
  }

  /** Those that are opened again when they are asked for. */
  get aside(): readonly LostTab[] {
    return [...this.#aside.values()];
  }

  /** How many are not open, but for one that is being opened again. */
  get size(): number {
    return this.#left.filter(({ id }) => id !== this.#idNext).length + this.#aside.size;
  }

  setAside(tab: LostTab): void {
    this.#aside.set(tab.id, tab);
  }

  /** It is asked for, and is opened again with the next. `blank`: the caller opens an address in it himself. */
  recall(id: string, blank: boolean): void {
    const tab = this.#aside.get(id);
    if (!tab) return;
    this.#aside.delete(id);
    if (blank) this.#blank.add(id);
    this.add(tab);
  }

  /** It is not opened again; false where it is not aside. */
  forget(id: string): boolean {
    this.#memories.delete(id);
    return this.#aside.delete(id);
  }

  /** The page of a tab is gone, and this is known of it. */
  remember(id: string, memory: TabMemory): void {
    this.#memories.set(id, memory);
  }

  /** What is known of the page that the tab had before; undefined for a new tab. */
  takeMemory(id: string): TabMemory | undefined {
    const memory = this.#memories.get(id);
    this.#memories.delete(id);
    return memory;
  }

  /** All that are not open. */
  records(open: readonly { id: string }[], currentId: string | undefined): LostTab[] {
    const lost = this.#left.filter(({ id }) => !open.some((tab) => tab.id === id));
    return [...lost, ...this.aside.map((tab) => ({ ...tab, current: tab.id === currentId }))];
  }

  /** One more is to be opened again. */
  add(tab: LostTab): void {
    this.#left = [...this.#left, tab];
  }

  /** The tab that was the current one. */
  get currentId(): string | undefined {
    return this.#left.find(({ current }) => current)?.id;
  }

  /** The id that the tab which is being opened again had. */
  get idNext(): string | undefined {
    return this.#idNext;
  }

  /**
   * Opens one after the other, each `inTurn`; what could not be opened is left. `open`: with the address, "" for an
   * empty page.
   */
  async reopen(inTurn: InTurn, open: (url: string) => Promise<unknown>): Promise<void> {
    for (let [next] = this.#left; next; [next] = this.#left) {
      await inTurn(() => this.#reopen(next, open));
      this.#left = this.#left.slice(1);
    }
  }

  /** Its turn may be long in coming: only from then on the next page is this tab's. */
  async #reopen({ id, url }: LostTab, open: (url: string) => Promise<unknown>): Promise<void> {
    this.#idNext = id;
    try {
      await open(this.#blank.delete(id) || url === "about:blank" ? "" : url);
    } finally {
      this.#idNext = undefined;
    }
  }
}

/** What a worker that ended knew of the tabs' pages. `told`: by tab, what replies have said of its elements. */
export function memoriesOf(
  record: SessionRecord | undefined,
  told: ReadonlyMap<string, readonly string[]> = new Map(),
): Map<string, TabMemory> {
  const { tabs = [], typed = [] } = record ?? {};
  const memories = tabs.map(({ id }) => {
    const lost = typed.filter(({ tab }) => tab === id).map(({ field }) => field);
    return [id, { lines: new DeliveredLines(told.get(id)), lost }] as const;
  });
  return new Map(memories);
}
