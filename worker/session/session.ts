// Holds one client's use of a role: its browser context, its tabs and its turns.
import type { CDPSession, Protocol } from "puppeteer-core";
import { fail } from "../../proto/errors/catalogue.ts";
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { PageWorkers } from "../activity/page-workers.ts";
import { isGone } from "../core/gone.ts";
import type { Wall } from "../policy/role-policy.ts";
import { LoginPageHistory } from "../session-login/login-page-history.ts";
import { TrackedLines } from "../storage/tracked-lines.ts";
import { KnownCredentials } from "../tab/http-credentials.ts";
import { Tab } from "../tab/tab.ts";
import { Context, type ContextParts } from "./context.ts";
import { Freezer } from "./freeze.ts";
import { notePlaying } from "./lost-by-hibernation.ts";
import { type LostPage, LostPages, lossError } from "./lost-pages.ts";
import { PendingTabs } from "./pending-tabs.ts";
import { relatedTabs } from "./related-tabs.ts";
import type { RestoreOrder } from "./restore-order.ts";
import { TabOpener } from "./tab-opener.ts";
import { recordOf, typedIn } from "./tab-record.ts";
import { TabsBound } from "./tabs-bound.ts";
import { memoriesOf, TabsToRestore } from "./tabs-to-restore.ts";
import { Turns } from "./turn.ts";

/** The parts that a session is made from. */
export interface SessionOptions extends Omit<ContextParts, "owner"> {
  bridge: string;
  /** The rules on where the role may go. */
  wall: Wall;
  startUrl: string;
  /** The session's pages are frozen after this many milliseconds without a call; 0 means never. */
  freezeAfterMs: number;
  /** Another owner's context to share. Undefined for a context of its own. */
  shared: Context | undefined;
  /** The session's state in a worker that died, or before its hibernation. */
  record: SessionRecord | undefined;
  rested: boolean;
  /** The role's queue, in which restored tabs wait for each other. */
  restorings: RestoreOrder;
  /** Makes Chrome open a page in the session's context. Resolves to the target's id. */
  createTarget(session: Session): Promise<string>;
  sharedWorkers(contextId: string): PageWorkers | undefined;
  /** Called with every change that a restored session would need. */
  changed(record: SessionRecord): void;
}

export interface OpenOptions {
  signal?: AbortSignal;
  meantFor?: string | undefined;
}

/** A session. {@link Session.open} opens it, {@link Session.close} ends it. */
export class Session {
  readonly turns = new Turns();
  readonly loginSight = new LoginPageHistory();
  /** Lost pages that have not been reported to the session yet. */
  readonly losses = new LostPages();
  /** The lines of its delivered refs, for the next worker. */
  readonly lines: TrackedLines;
  readonly rest: Freezer;
  readonly credentials: KnownCredentials;
  readonly #options: SessionOptions;
  readonly #tabs = new Map<string, Tab>();
  readonly #context: Context;
  readonly #arrivals = new PendingTabs();
  readonly #opener: TabOpener;
  #key: string;
  /** An empty tab that is ready for the first `openTab`. */
  #prepared: Tab | undefined;
  #current: string | undefined;
  #nextTab: number;
  readonly #lost: TabsToRestore;
  /** The restoring under way, which outlives the call that began it. All calls that need it share it. */
  #restoring: Promise<void> | undefined;
  #opening: Promise<Tab> | undefined;
  /** Tabs that pages have opened, until a reply has listed them. */
  readonly #unannounced = new Set<Tab>();
  readonly #bound: TabsBound;
  #lastRecord = "";

  /** Opens the session's context, or its share of one. Throws AUTHENTICATION_FAILED without a required login. */
  static async open(options: SessionOptions): Promise<Session> {
    const { shared } = options;
    let session: Session | undefined;
    const parts = { ...options, owner: () => session?.key ?? options.key };
    session = new Session(options, shared ? Context.shared(parts, shared) : await Context.open(parts));
    return session;
  }

  private constructor(options: SessionOptions, context: Context) {
    this.#options = options;
    this.#context = context;
    this.rest = new Freezer({
      isUntold: options.rested,
      afterMs: options.freezeAfterMs,
      tabs: () => this.tabs,
      beforehand: () => Promise.all([context.kept.flush(), notePlaying(this.tabs)]),
    });
    this.#opener = new TabOpener({
      createTarget: () => options.createTarget(this),
      arrivals: this.#arrivals,
      login: context.login,
      failures: options.failures,
      discard: (tab) => this.discard(tab),
    });
    this.credentials = new KnownCredentials(options.startUrl);
    this.#key = options.key;
    this.#bound = new TabsBound(options.failures, () => this.key);
    this.#nextTab = options.record?.nextTab || 1;
    this.#lost = new TabsToRestore(options.record?.tabs, memoriesOf(options.record, options.stored?.told));
    this.lines = new TrackedLines((part) => options.storageChanged(this.key, [part]));
    this.#current = this.#lost.currentId;
  }

  /** The session's key in the daemon; empty while no client has the session. */
  get key(): string {
    return this.#key;
  }

  get context(): Context {
    return this.#context;
  }

  /** Open tabs, in the order of their ids. */
  get tabs(): Tab[] {
    return [...this.#tabs.values()];
  }

  get currentId(): string | undefined {
    return this.#current;
  }

  /** The ids of all tabs, including those of a dead worker. */
  get tabIds(): string[] {
    return this.record().tabs.map(({ id }) => id);
  }

  /** Returns the tab of that id, restored if needed. `blank`: see {@link Session.currentTab}. Throws UNKNOWN_TAB. */
  async tabNamed(id: string, { blank = false } = {}): Promise<Tab> {
    const key = id.trim().toLowerCase();
    this.#lost.recall(key, blank);
    await this.restored();
    const tab = this.#tabs.get(key);
    if (!tab) throw fail("UNKNOWN_TAB", { tab: id.slice(0, 50), tabs: [...this.#tabs.keys()] });
    return tab;
  }

  /** Returns the current tab, or opens one at the start address. `blank`: the caller opens an address itself. */
  async currentTab({ blank = false } = {}): Promise<Tab> {
    if (this.#current !== undefined) this.#lost.recall(this.#current, blank);
    await this.restored();
    const current = this.openCurrentTab();
    if (current) return current;
    this.#opening ??= this.openTab(blank ? "" : this.#options.startUrl).finally(() => {
      this.#opening = undefined;
    });
    return await this.#opening;
  }

  /** Resolves when hanging pages are freed, and tabs whose process or worker died are restored. */
  async restored(): Promise<void> {
    await Promise.all(this.tabs.flatMap(({ freeing }) => freeing ?? []));
    if (this.#lost.left.length === 0) return;
    this.#restoring ??= this.#restore().finally(() => {
      this.#restoring = undefined;
    });
    await this.#restoring;
  }

  /** Returns the current tab if it is already open, for callers that must not touch any page. */
  openCurrentTab(id = this.#current): Tab | undefined {
    return id === undefined ? undefined : this.#tabs.get(id);
  }

  /** Returns the address of a tab, open or yet to be restored. Without an id, that of the current tab. */
  addressOf(id = this.#current): string | undefined {
    return this.record().tabs.find((tab) => tab.id === id)?.url;
  }

  /** Tabs whose pages were closed to free memory. */
  get aside() {
    return this.#lost.aside;
  }

  /**
   * Opens a tab, makes it the current one and begins to load the address. `meantFor`: the caller's own address for it,
   * which survives the worker's death meanwhile. If the signal has aborted, the tab is closed again. Throws BUSY beyond
   * the bound.
   */
  async openTab(url = "", { signal, meantFor }: OpenOptions = {}): Promise<Tab> {
    if (this.#bound.isReached(this.#tabs.size + this.#lost.size)) throw this.#bound.error();
    try {
      const tab = await this.#opener.open(url, signal, this.#takePrepared());
      this.#current = tab.id;
      tab.firstUrl ??= meantFor;
      this.changed();
      return tab;
    } catch (error) {
      throw this.#arrivals.ended ?? error;
    }
  }

  /** Opens a tab ahead, before a client has the session. It counts as a tab only once it is used. */
  async prepare(): Promise<void> {
    const tab = await this.#opener.open("");
    this.#tabs.delete(tab.id);
    this.#prepared = tab;
  }

  /** Resolves when the tab that was opened ahead is gone, or when its page crashes. */
  async whenUnprepared(): Promise<void> {
    const tab = this.#prepared;
    if (!tab) return;
    const { promise: crashed, resolve } = Promise.withResolvers<void>();
    tab.client.once("Inspector.targetCrashed", () => resolve());
    await Promise.race([crashed, tab.whenClosed()]);
  }

  /** Gives a warm session its client's key. */
  takenBy(key: string): void {
    this.#key = key;
  }

  /** Returns the tabs that pages have opened since the last call, except the one that is shown. */
  takeUnannounced(shown: Tab | undefined): Tab[] {
    return this.tabs.filter((tab) => this.#unannounced.delete(tab) && tab !== shown);
  }

  select(tab: Tab): void {
    this.#current = tab.id;
    this.changed();
  }

  /** Sets up a page that Chrome has opened in this context as a tab, before its page runs. */
  async adopt(client: CDPSession, target: Protocol.Target.TargetInfo): Promise<void> {
    const { bridge, failures, wall, key } = this.#options;
    if (this.#bound.isReached(this.#tabs.size + this.#lost.size)) {
      // The page is closed before any of its scripts run.
      this.#arrivals.of(target.targetId).reject(this.#bound.refused());
      return await this.discard(target);
    }
    const id = (!target.openerId && this.#lost.idNext) || `t${this.#nextTab++}`;
    const tab = new Tab({
      id,
      session: () => this.key,
      client,
      targetId: target.targetId,
      openerId: target.openerId,
      reachesOpener: target.canAccessOpener,
      related: (of) => relatedTabs(of, this.tabs),
      bridge,
      failures,
      wall,
      credentials: this.credentials,
      changed: () => this.changed(),
      memory: this.#lost.takeMemory(id),
      crashed: (of, url) => this.losses.add(of, "PAGE_CRASHED", url),
      replace: (of) => this.#replace(of),
      sharedWorkers: () => this.#options.sharedWorkers(this.#context.id),
      follow: (process, of) => this.#context.kept.watch(process, of, key),
    });
    const opener = this.tabs.find((each) => each.targetId === target.openerId);
    client.on("Inspector.targetCrashed", () => void this.rest.crashed(tab));
    this.#context.kept.watchTab(tab, key, opener);
    this.#tabs.set(id, tab);
    // A tab that an action of this session opens becomes the current one, as in a browser.
    if (target.openerId) {
      this.#current = id;
      this.#unannounced.add(tab);
    }
    try {
      await tab.attach();
      this.#arrivals.of(target.targetId).resolve(tab);
    } catch (error) {
      // The page was closed while it was being set up.
      this.#arrivals.of(target.targetId).reject(error);
    }
    this.changed();
  }

  /** Handles a page that Chrome has closed. Its opener becomes current again, or else the newest tab. */
  lost(targetId: string): void {
    this.#arrivals.lost(targetId);
    const tab = [...this.tabs, this.#prepared].find((each) => each?.targetId === targetId);
    if (!tab) return;
    this.#tabs.delete(tab.id);
    this.#bound.freed();
    this.#unannounced.delete(tab);
    this.losses.forget(tab.id);
    this.lines.forget(tab.id);
    const opener = this.tabs.find((each) => each.targetId === tab.openerId);
    if (this.#current === tab.id) this.#current = (opener ?? this.tabs.at(-1))?.id;
    // A tab opened only for a download is gone before any reply, so its opener reports the download.
    if (opener && tab.download) opener.download ??= tab.download;
    tab.closed(fail("UNKNOWN_TAB", { tab: tab.id, tabs: [...this.#tabs.keys()] }));
    this.#context.kept.forgetTab(tab, this.#options.key);
    this.changed();
  }

  /** Closes a tab without asking its page. Does nothing if the tab is already closed. */
  async discard({ targetId }: Pick<Tab, "targetId">): Promise<void> {
    try {
      await this.#options.browser.send("Target.closeTarget", { targetId });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Ends the session. All its tabs go with its context. */
  async close(): Promise<void> {
    const ended = fail("SESSION_EXPIRED", { session: this.key, reason: "it was closed" });
    this.rest.close();
    this.lines.close();
    this.#arrivals.end(ended);
    await this.#context.close(this.tabs);
    for (const tab of [...this.tabs, this.#prepared]) tab?.closed(ended);
    this.#tabs.clear();
  }

  /** Closes a tab's page to free its memory. The tab keeps its id: a call on it opens its page again. */
  async closeForMemory(tab: Tab): Promise<void> {
    const record = recordOf(tab, this.#current);
    this.#lost.setAside(record);
    await this.#release(tab, this.losses.add(tab, "TAB_CLOSED", record.url));
  }

  /** Closes a tab whose page was closed to free memory, and returns its id. Otherwise returns undefined. */
  forgetAside(named = this.#current): string | undefined {
    const id = named?.trim().toLowerCase();
    if (id === undefined || !this.#lost.forget(id)) return undefined;
    this.losses.forget(id);
    this.lines.forget(id);
    this.#context.kept.forgetId(id, this.#options.key);
    if (this.#current === id) this.#current = (this.tabs.at(-1) ?? this.aside.at(-1))?.id;
    this.changed();
    return id;
  }

  /** Returns what another worker needs to restore the session. */
  record(): SessionRecord {
    // A tab that is just being restored shows other addresses on the way to its own.
    const open = this.tabs.filter(({ id }) => id !== this.#lost.idNext);
    return {
      key: this.key,
      tabs: [...this.#lost.records(open, this.#current), ...open.map((tab) => recordOf(tab, this.#current))],
      nextTab: this.#nextTab,
      typed: [...this.losses.lostInput, ...open.flatMap(typedIn)],
      lostByRest: [],
    };
  }

  /** Replaces a tab whose process does not run. The next call opens its page in another process. */
  async #replace(tab: Tab): Promise<void> {
    const loss = this.losses.add(tab, "PAGE_CRASHED", tab.url);
    this.#lost.add(recordOf(tab, this.#current));
    await this.#release(tab, loss);
  }

  /** Closes a tab's page, which is opened again later. */
  async #release(tab: Tab, loss: LostPage): Promise<void> {
    const { id } = tab;
    const { kept, login } = this.#context;
    login.keep(id, kept.suspendTab(tab, this.#options.key));
    this.#lost.remember(id, tab.memory);
    this.#tabs.delete(id);
    this.#unannounced.delete(tab);
    tab.closed(lossError(id, loss, "unknown"));
    this.changed();
    await this.discard(tab);
  }

  #takePrepared(): Tab | undefined {
    const tab = this.#prepared;
    this.#prepared = undefined;
    if (!tab?.isOpen) return undefined;
    this.#tabs.set(tab.id, tab);
    return tab;
  }

  async #restore(): Promise<void> {
    const current = this.#current;
    await this.#lost.reopen(
      (work) => this.#options.restorings.take(work),
      (url) => this.openTab(url),
    );
    if (current && this.#tabs.has(current)) this.#current = current;
    this.changed();
  }

  /** Reports the session's record if it has changed. */
  changed(): void {
    if (this.rest.isClosed) return;
    const record = this.record();
    const text = JSON.stringify(record);
    if (text === this.#lastRecord) return;
    this.#lastRecord = text;
    this.#options.changed(record);
  }
}
