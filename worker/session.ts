// One client's use of a role: its browser context, its tabs, its turns.
import type { CDPSession, Protocol } from "puppeteer-core";
import { fail } from "../proto/errors.ts";
import type { SessionRecord } from "../proto/gen/troupe.ts";
import type { FailureLog } from "./failure-log.ts";
import { loadCookies, loadWebStorage, type StorageState } from "./storage-state.ts";
import { Tab } from "./tab.ts";
import { Turns } from "./turn.ts";

const TABS_MAX = 50;

/** What a session is made from. */
export interface SessionOptions {
  key: string;
  /** The browser target's session. */
  browser: CDPSession;
  bridge: string;
  failures: FailureLog;
  login: StorageState | undefined;
  startUrl: string;
  /** A context of another owner to share; undefined for one of its own. */
  sharedContextId: string | undefined;
  /** What it was in a worker that died. */
  record: SessionRecord | undefined;
  /** Has Chrome open a page in the session's context; resolves to the target's id. */
  createTarget(session: Session): Promise<string>;
  /** Told of every change that a restored session would need. */
  changed(record: SessionRecord): void;
}

/** A session. Opened by {@link Session.open}, ended by {@link Session.close}. */
export class Session {
  readonly key: string;
  readonly contextId: string;
  readonly turns = new Turns();
  readonly #options: SessionOptions;
  readonly #tabs = new Map<string, Tab>();
  /** By target: resolves when the tab is set up. */
  readonly #arrivals = new Map<string, PromiseWithResolvers<Tab>>();
  #current: string | undefined;
  #nextTab: number;
  #toRestore: SessionRecord["tabs"];
  #loginLoaded = false;
  #lastRecord = "";

  /** Makes the context and puts the login's cookies into it; its web storage follows with the first tab. */
  static async open(options: SessionOptions): Promise<Session> {
    const contextId =
      options.sharedContextId ?? (await options.browser.send("Target.createBrowserContext")).browserContextId;
    if (options.login && !options.sharedContextId)
      await loadCookies(options.browser, contextId, options.login);
    return new Session(options, contextId);
  }

  private constructor(options: SessionOptions, contextId: string) {
    this.#options = options;
    this.key = options.key;
    this.contextId = contextId;
    this.#nextTab = options.record?.nextTab || 1;
    this.#toRestore = options.record?.tabs ?? [];
    this.#current = this.#toRestore.find(({ current }) => current)?.id;
  }

  /** Open tabs, in the order of their ids. */
  get tabs(): Tab[] {
    return [...this.#tabs.values()];
  }

  get currentId(): string | undefined {
    return this.#current;
  }

  /** The ids of all tabs, those of a worker that died included. */
  get tabIds(): string[] {
    return [...new Set([...this.#toRestore.map(({ id }) => id), ...this.#tabs.keys()])];
  }

  /** The tab of that id, opened again where a worker died with it. Throws UNKNOWN_TAB. */
  async tabNamed(id: string): Promise<Tab> {
    await this.#restore();
    const tab = this.#tabs.get(id);
    if (!tab) throw fail("UNKNOWN_TAB", { tab: id.slice(0, 50), tabs: [...this.#tabs.keys()] });
    return tab;
  }

  /** The current tab; a session without any gets one, at the role's start. `blank`: the caller opens an address itself. */
  async currentTab({ blank = false } = {}): Promise<Tab> {
    await this.#restore();
    const current = this.#current && this.#tabs.get(this.#current);
    return current || (await this.openTab(blank ? "" : this.#options.startUrl));
  }

  /** Resolves when the tabs of a worker that died are open again. */
  async restored(): Promise<void> {
    await this.#restore();
  }

  /** The current tab if it is there already: for what must not touch any page. */
  openCurrentTab(id = this.#current): Tab | undefined {
    return id === undefined ? undefined : this.#tabs.get(id);
  }

  /** Opens a tab, makes it the current one and begins to load the address. Throws BUSY beyond the bound. */
  async openTab(url = "", id?: string): Promise<Tab> {
    if (this.#tabs.size >= TABS_MAX)
      throw fail("BUSY", {
        limit: `a session has at most ${TABS_MAX} tabs in a role`,
        holders: [],
        retryAfterMs: 1000,
      });
    const { login, sharedContextId } = this.#options;
    const targetId = await this.#options.createTarget(this);
    const tab = await this.#arrivalOf(targetId).promise;
    if (id !== undefined) this.#rename(tab, id);
    this.#current = tab.id;
    if (login && !this.#loginLoaded && !sharedContextId) await loadWebStorage(tab.client, login);
    this.#loginLoaded = true;
    if (url) tab.heldNavigation = this.#begin(tab, url);
    this.#tell();
    return tab;
  }

  select(tab: Tab): void {
    this.#current = tab.id;
    this.#tell();
  }

  /** Chrome has opened a page in this context: a tab of this session, set up before its page runs. */
  async adopt(client: CDPSession, target: Protocol.Target.TargetInfo): Promise<void> {
    const { bridge, failures } = this.#options;
    const id = `t${this.#nextTab++}`;
    const changed = () => this.#tell();
    const tab = new Tab({
      id,
      client,
      targetId: target.targetId,
      openerId: target.openerId,
      bridge,
      failures,
      changed,
    });
    this.#tabs.set(id, tab);
    // What an action of this session opens becomes the current tab, as in a browser.
    if (target.openerId) this.#current = id;
    try {
      await tab.attach();
      this.#arrivalOf(target.targetId).resolve(tab);
    } catch (error) {
      // It was closed while it was being set up.
      this.#arrivalOf(target.targetId).reject(error);
    }
    this.#tell();
  }

  /** Chrome has closed a page. Its opener is current again, else the newest tab. */
  lost(targetId: string): void {
    const tab = this.tabs.find((each) => each.targetId === targetId);
    if (!tab) return;
    this.#tabs.delete(tab.id);
    this.#arrivals.delete(targetId);
    if (this.#current === tab.id) {
      const opener = this.tabs.find((each) => each.targetId === tab.openerId);
      this.#current = (opener ?? this.tabs.at(-1))?.id;
    }
    tab.closed();
    this.#tell();
  }

  /** Ends the session: with its context go all its tabs. */
  async close(): Promise<void> {
    const { browser, failures, sharedContextId } = this.#options;
    try {
      if (sharedContextId)
        await Promise.all(this.tabs.map(({ targetId }) => browser.send("Target.closeTarget", { targetId })));
      else await browser.send("Target.disposeBrowserContext", { browserContextId: this.contextId });
    } catch (error) {
      failures.cleanup("context-close", error as Error);
    }
    for (const tab of this.tabs)
      tab.closed(fail("SESSION_EXPIRED", { session: this.key, reason: "it was closed" }));
    this.#tabs.clear();
  }

  /** What another worker needs to open it again. */
  record(): SessionRecord {
    const open = this.tabs.map(({ id, url, title }) => ({ id, url, title, current: id === this.#current }));
    return { key: this.key, tabs: [...this.#toRestore, ...open], nextTab: this.#nextTab };
  }

  async #restore(): Promise<void> {
    const tabs = this.#toRestore;
    if (tabs.length === 0) return;
    this.#toRestore = [];
    const current = this.#current;
    for (const { id, url } of tabs) await this.openTab(url === "about:blank" ? "" : url, id);
    if (current && this.#tabs.has(current)) this.#current = current;
    this.#tell();
  }

  /** A restored tab takes its old id back. */
  #rename(tab: Tab, id: string): void {
    this.#tabs.delete(tab.id);
    tab.id = id;
    this.#tabs.set(id, tab);
    this.#nextTab--;
  }

  #arrivalOf(targetId: string): PromiseWithResolvers<Tab> {
    const arrival = this.#arrivals.get(targetId) ?? Promise.withResolvers<Tab>();
    // A popup's arrival may have nobody who waits for it.
    arrival.promise.catch(() => undefined);
    this.#arrivals.set(targetId, arrival);
    return arrival;
  }

  /** Whoever looks at the tab waits for the page; that it does not come is told by what the tab shows then. */
  async #begin(tab: Tab, url: string): Promise<void> {
    tab.activity.navigating = true;
    const { errorText } = await tab.client.send("Page.navigate", { url });
    if (errorText) tab.activity.navigating = false;
  }

  #tell(): void {
    const record = this.record();
    const text = JSON.stringify(record);
    if (text === this.#lastRecord) return;
    this.#lastRecord = text;
    this.#options.changed(record);
  }
}
