// The tabs of a session: those that are open, the current one, and those that wait to be opened again.
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { Tab } from "../tab/tab.ts";
import { recordOf, typedIn } from "./tab-record.ts";
import type { TabsToRestore } from "./tabs-to-restore.ts";

/** Beyond this, a client's new tab is refused, and a page's own is closed. */
export const TABS_MAX = 50;

export class SessionTabs {
  readonly closed: TabsToRestore;
  readonly #byId = new Map<string, Tab>();
  /** Tabs that pages have opened, until a reply has listed them. */
  readonly #unannounced = new Set<Tab>();
  /** An empty tab that is ready for the client's first use. Until then, it does not count as open. */
  prepared: Tab | undefined;
  currentId: string | undefined;
  #nextNumber: number;
  #isRefusing = false;

  constructor(closed: TabsToRestore, nextNumber = 1) {
    this.closed = closed;
    this.currentId = closed.currentId;
    this.#nextNumber = nextNumber || 1;
  }

  /** Open tabs, in the order of their ids. */
  get open(): Tab[] {
    return this.all.filter((tab) => tab !== this.prepared);
  }

  /** The open tabs with the prepared one. */
  get all(): Tab[] {
    return [...this.#byId.values()];
  }

  /** The ids of all tabs, including those of a dead worker. */
  get ids(): string[] {
    return this.record().tabs.map(({ id }) => id);
  }

  get isFull(): boolean {
    return this.#byId.size + this.closed.size >= TABS_MAX;
  }

  /**
   * Returns the tab if it is already open, for callers that must not touch any page. No client knows the prepared one
   * yet.
   */
  get(id = this.currentId): Tab | undefined {
    const tab = id === undefined ? undefined : this.#byId.get(id);
    return tab === this.prepared ? undefined : tab;
  }

  /** Returns the address of a tab, open or yet to be restored. */
  addressOf(id = this.currentId): string | undefined {
    return this.record().tabs.find((tab) => tab.id === id)?.url;
  }

  openerOf({ openerId }: Pick<Tab, "openerId">): Tab | undefined {
    return this.open.find(({ targetId }) => targetId === openerId);
  }

  /** Returns the id for a page that Chrome has opened. A page with an opener is no tab that is being restored. */
  nextId(openerId: string | undefined): string {
    return (!openerId && this.closed.idNext) || `t${this.#nextNumber++}`;
  }

  /** Adds a tab. One that an action of the session opens becomes the current one, as in a browser. */
  add(tab: Tab): void {
    this.#byId.set(tab.id, tab);
    if (!tab.openerId) return;
    this.currentId = tab.id;
    this.#unannounced.add(tab);
  }

  select(id: string): void {
    if (this.#byId.has(id)) this.currentId = id;
  }

  /** Keeps the tab for the client's first use. */
  prepare(tab: Tab): void {
    this.prepared = tab;
  }

  takePrepared(): Tab | undefined {
    const tab = this.prepared;
    this.prepared = undefined;
    return tab?.isOpen ? tab : undefined;
  }

  /** Returns the tabs that pages have opened since the last call, except the one that is shown. */
  takeUnannounced(shown: Tab | undefined): Tab[] {
    return this.open.filter((tab) => this.#unannounced.delete(tab) && tab !== shown);
  }

  /** Notes that a page's tab is refused. Returns true for the first of many in a row. */
  refused(): boolean {
    const isFirst = !this.#isRefusing;
    this.#isRefusing = true;
    return isFirst;
  }

  /** Drops a tab whose page Chrome has closed. Its opener becomes current again, or else the newest tab. */
  remove(tab: Tab): void {
    this.#drop(tab);
    this.#isRefusing = false;
    if (this.currentId === tab.id) this.currentId = (this.openerOf(tab) ?? this.open.at(-1))?.id;
  }

  /** Drops a tab that is opened again: when a call asks for it if it is put aside, and with the next call otherwise. */
  suspend(tab: Tab, isAside: boolean): void {
    const record = recordOf(tab, this.currentId);
    if (isAside) this.closed.setAside(record);
    else this.closed.add(record);
    this.closed.remember(tab.id, { lines: tab.delivered.lines, lost: tab.touched.names });
    this.#drop(tab);
  }

  /** Drops a tab that was put aside, and returns its id. Otherwise returns undefined. */
  forgetAside(named = this.currentId): string | undefined {
    const id = named?.trim().toLowerCase();
    if (id === undefined || !this.closed.forget(id)) return undefined;
    if (this.currentId === id) this.currentId = (this.open.at(-1) ?? this.closed.aside.at(-1))?.id;
    return id;
  }

  /** Returns what another worker needs to restore the tabs. */
  record(): Pick<SessionRecord, "tabs" | "nextTab" | "typed"> {
    // A tab that is just being restored shows other addresses on the way to its own.
    const open = this.open.filter(({ id }) => id !== this.closed.idNext);
    const records = open.map((tab) => recordOf(tab, this.currentId));
    return {
      tabs: [...this.closed.records(open, this.currentId), ...records],
      nextTab: this.#nextNumber,
      typed: open.flatMap(typedIn),
    };
  }

  /** Ends all tabs. */
  clear(): void {
    this.#byId.clear();
  }

  #drop(tab: Tab): void {
    this.#byId.delete(tab.id);
    this.#unannounced.delete(tab);
  }
}
