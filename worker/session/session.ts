// One client's use of a role: its browser context, its tabs, its turns.
import type { CDPSession, Protocol } from "puppeteer-core";
import { fail, type TroupeError } from "../../proto/errors.ts";
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { Profile } from "../../proto/tools.ts";
import { pointer, tabPointer } from "../look/profile-words.ts";
import { shownUrl } from "../look/quote.ts";
import { Turns } from "./turn.ts";
import { DocumentGone, isGone } from "../tab/gone.ts";
import { Tab } from "../tab/tab.ts";
import type { FailureLog } from "./failure-log.ts";
import { loadCookies, loadWebStorage, replaceCookies } from "./load-storage.ts";
import { isFresher, type Login, loadPart } from "./login.ts";
import { LoginSight } from "./login-sight.ts";
import { relatedTabs } from "./related-tabs.ts";

const RECORDED_URL_LENGTH_MAX = 2_000;
const RECORDED_TITLE_LENGTH_MAX = 200;
const TABS_MAX = 50;
/** New tabs beyond this are counted, not told. */
const ANNOUNCED_MAX = 5;

/** What a session is made from. */
export interface SessionOptions {
  key: string;
  /** The browser target's session. */
  browser: CDPSession;
  bridge: string;
  /** The program that fills origins' storage. */
  storageScript: string;
  failures: FailureLog;
  login: Login | undefined;
  /** The login as its file has it now; undefined where it cannot be read, which is recorded. */
  loginNow(): Promise<Login | undefined>;
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
  readonly loginSight = new LoginSight();
  readonly #options: SessionOptions;
  readonly #tabs = new Map<string, Tab>();
  /** By target: resolves when the tab is set up. */
  readonly #arrivals = new Map<string, PromiseWithResolvers<Tab>>();
  #current: string | undefined;
  #nextTab: number;
  #toRestore: SessionRecord["tabs"];
  /** Under way: shared by all calls that need it, also after the one that began it has ended. */
  #restoring: Promise<void> | undefined;
  #opening: Promise<Tab> | undefined;
  /** The id that the tab which is being opened again had. */
  #idToRestore: string | undefined;
  /** Tabs that pages have opened, until a reply has told of them. */
  readonly #unannounced = new Set<Tab>();
  /** Pages have more tabs opened than a session may have; recorded once, however many they are. */
  #isRefusing = false;
  /** The cookies of the login are in place. */
  readonly #hasCookies: boolean;
  #loginLoaded = false;
  /** The login that the context was given last. */
  #login: Login | undefined;
  /** Set when the session has ended. */
  #ended: TroupeError | undefined;
  #lastRecord = "";

  /** Makes the context and puts the login's cookies into it; its web storage follows with the first tab. */
  static async open(options: SessionOptions): Promise<Session> {
    const { browser, failures, login, sharedContextId } = options;
    if (sharedContextId) return new Session(options, sharedContextId, true);
    const { browserContextId } = await browser.send("Target.createBrowserContext");
    try {
      await browser.send("Browser.setDownloadBehavior", { behavior: "deny", browserContextId });
      const hasCookies =
        !login ||
        (await loadPart(login, failures, () => loadCookies(browser, browserContextId, login.state)));
      return new Session(options, browserContextId, hasCookies);
    } catch (error) {
      await browser.send("Target.disposeBrowserContext", { browserContextId });
      throw error;
    }
  }

  private constructor(options: SessionOptions, contextId: string, hasCookies: boolean) {
    this.#options = options;
    this.#hasCookies = hasCookies;
    this.#login = options.login;
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
    return this.record().tabs.map(({ id }) => id);
  }

  /** The tab of that id, opened again where a worker died with it. Throws UNKNOWN_TAB. */
  async tabNamed(id: string): Promise<Tab> {
    await this.restored();
    const tab = this.#tabs.get(id.trim().toLowerCase());
    if (!tab) throw fail("UNKNOWN_TAB", { tab: id.slice(0, 50), tabs: [...this.#tabs.keys()] });
    return tab;
  }

  /** The current tab; a session without any gets one, at the role's start. `blank`: the caller opens an address itself. */
  async currentTab({ blank = false } = {}): Promise<Tab> {
    await this.restored();
    const current = this.openCurrentTab();
    if (current) return current;
    this.#opening ??= this.openTab(blank ? "" : this.#options.startUrl).finally(() => {
      this.#opening = undefined;
    });
    return await this.#opening;
  }

  /** Resolves when the tabs of a worker that died are open again. */
  async restored(): Promise<void> {
    if (this.#toRestore.length === 0) return;
    this.#restoring ??= this.#restore().finally(() => {
      this.#restoring = undefined;
    });
    await this.#restoring;
  }

  /** The current tab if it is there already: for what must not touch any page. */
  openCurrentTab(id = this.#current): Tab | undefined {
    return id === undefined ? undefined : this.#tabs.get(id);
  }

  /**
   * Opens a tab, makes it the current one and begins to load the address. A tab that comes when the signal has aborted
   * is closed again. Throws BUSY beyond the bound.
   */
  async openTab(url = "", signal?: AbortSignal): Promise<Tab> {
    if (this.#tabs.size >= TABS_MAX) throw tooManyTabs();
    try {
      const targetId = await this.#options.createTarget(this);
      const tab = await this.#arrivalOf(targetId).promise;
      await this.#prepare(tab, signal);
      this.#current = tab.id;
      if (url) this.#begin(tab, url);
      this.#tell();
      return tab;
    } catch (error) {
      throw this.#ended ?? error;
    }
  }

  /** Lines on tabs that pages have opened since the last reply, but for the one that the reply is about. */
  announce(shown: Tab | undefined, profile: Profile): string[] {
    const fresh = this.tabs.filter((tab) => this.#unannounced.delete(tab) && tab !== shown);
    const lines = fresh
      .slice(-ANNOUNCED_MAX)
      .map(
        (tab) =>
          `New tab: ${tab.id} ${shownUrl(tab.url)}${tab.id === this.#current ? " (current)" : ""}${tabPointer(profile)}`,
      );
    const more = fresh.length - lines.length;
    return more > 0
      ? [`${more} more new tabs${pointer(profile, "browser_tabs", "lists them")}`, ...lines]
      : lines;
  }

  select(tab: Tab): void {
    this.#current = tab.id;
    this.#tell();
  }

  /** Chrome has opened a page in this context: a tab of this session, set up before its page runs. */
  async adopt(client: CDPSession, target: Protocol.Target.TargetInfo): Promise<void> {
    const { bridge, failures } = this.#options;
    if (this.#tabs.size >= TABS_MAX) return await this.#refuse(target.targetId);
    const id = (!target.openerId && this.#idToRestore) || `t${this.#nextTab++}`;
    const changed = () => this.#tell();
    const tab = new Tab({
      id,
      client,
      targetId: target.targetId,
      openerId: target.openerId,
      reachesOpener: target.canAccessOpener,
      related: (of) => relatedTabs(of, this.tabs),
      bridge,
      failures,
      changed,
    });
    this.#tabs.set(id, tab);
    // What an action of this session opens becomes the current tab, as in a browser.
    if (target.openerId) {
      this.#current = id;
      this.#unannounced.add(tab);
    }
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
    this.#arrivals.get(targetId)?.reject(new DocumentGone("the tab was closed while it was being opened"));
    this.#arrivals.delete(targetId);
    const tab = this.tabs.find((each) => each.targetId === targetId);
    if (!tab) return;
    this.#tabs.delete(tab.id);
    this.#isRefusing = false;
    this.#unannounced.delete(tab);
    if (this.#current === tab.id) {
      const opener = this.tabs.find((each) => each.targetId === tab.openerId);
      this.#current = (opener ?? this.tabs.at(-1))?.id;
    }
    tab.closed(fail("UNKNOWN_TAB", { tab: tab.id, tabs: [...this.#tabs.keys()] }));
    this.#tell();
  }

  /**
   * Loads the login's file into the context where it is fresher than what was loaded, by way of the tab, which is left
   * empty where the login has storage. False where there is nothing fresher, or it could not be loaded whole. Throws
   * AUTHENTICATION_FAILED as {@link loadPart}.
   */
  async loadFresherLogin(tab: Tab): Promise<boolean> {
    const { browser, failures } = this.#options;
    const login = await this.#options.loginNow();
    if (!login || !isFresher(login, this.#login)) return false;
    const hasCookies = await loadPart(login, failures, () =>
      replaceCookies(browser, tab.client, this.contextId, login.state),
    );
    const hasStorage = await this.#loadStorage(tab, login);
    if (!hasCookies || !hasStorage) return false;
    this.#login = login;
    failures.authLoaded();
    return true;
  }

  /** Closes a tab without asking its page; one that is closed already stays so. */
  async discard({ targetId }: Tab): Promise<void> {
    try {
      await this.#options.browser.send("Target.closeTarget", { targetId });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  /** Ends the session: with its context go all its tabs. */
  async close(): Promise<void> {
    const { browser, failures, sharedContextId } = this.#options;
    const ended = fail("SESSION_EXPIRED", { session: this.key, reason: "it was closed" });
    this.#ended = ended;
    for (const arrival of this.#arrivals.values()) arrival.reject(ended);
    try {
      if (sharedContextId)
        await Promise.all(this.tabs.map(({ targetId }) => browser.send("Target.closeTarget", { targetId })));
      else await browser.send("Target.disposeBrowserContext", { browserContextId: this.contextId });
    } catch (error) {
      if (!isGone(error)) failures.cleanup("context-close", error as Error);
    }
    for (const tab of this.tabs) tab.closed(ended);
    this.#tabs.clear();
  }

  /** What another worker needs to open it again. */
  record(): SessionRecord {
    const open = this.tabs.map(({ id, url, title }) => ({
      id,
      // All sessions of a role are told in one message: an address that is a document itself is not opened again.
      url: url.length > RECORDED_URL_LENGTH_MAX ? "about:blank" : url,
      title: title.slice(0, RECORDED_TITLE_LENGTH_MAX),
      current: id === this.#current,
    }));
    const lost = this.#toRestore.filter(({ id }) => !this.#tabs.has(id));
    return { key: this.key, tabs: [...lost, ...open], nextTab: this.#nextTab };
  }

  /** Closes a page that would be one tab too many, before anything of it runs. */
  async #refuse(targetId: string): Promise<void> {
    const { browser, failures } = this.#options;
    this.#arrivalOf(targetId).reject(tooManyTabs());
    if (!this.#isRefusing)
      failures.incident("too-many-tabs", `A page opened more than ${TABS_MAX} tabs; the others were closed.`);
    this.#isRefusing = true;
    await browser.send("Target.closeTarget", { targetId });
  }

  async #restore(): Promise<void> {
    const current = this.#current;
    for (let [next] = this.#toRestore; next; [next] = this.#toRestore) {
      this.#idToRestore = next.id;
      try {
        await this.openTab(next.url === "about:blank" ? "" : next.url);
      } finally {
        this.#idToRestore = undefined;
      }
      this.#toRestore = this.#toRestore.slice(1);
    }
    if (current && this.#tabs.has(current)) this.#current = current;
    this.#tell();
  }

  /** What a tab needs before it is anybody's; one that cannot have it, or is not wanted any more, is closed again. */
  async #prepare(tab: Tab, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#loadLogin(tab);
      signal?.throwIfAborted();
    } catch (error) {
      await this.discard(tab);
      throw error;
    }
  }

  /** The web storage of the login, with the session's first tab. */
  async #loadLogin(tab: Tab): Promise<void> {
    const { failures, login, sharedContextId } = this.#options;
    if (!login || this.#loginLoaded || sharedContextId) return;
    const hasStorage = await this.#loadStorage(tab, login);
    this.#loginLoaded = true;
    if (hasStorage && this.#hasCookies) failures.authLoaded();
  }

  async #loadStorage(tab: Tab, login: Login): Promise<boolean> {
    const closed = async () => {
      await tab.whenClosed();
      throw new DocumentGone("the tab was closed while its login was loaded");
    };
    return await loadPart(login, this.#options.failures, () =>
      Promise.race([loadWebStorage(tab.client, login.state, this.#options.storageScript), closed()]),
    );
  }

  #arrivalOf(targetId: string): PromiseWithResolvers<Tab> {
    const arrival = this.#arrivals.get(targetId) ?? Promise.withResolvers<Tab>();
    // A popup's arrival may have nobody who waits for it.
    arrival.promise.catch(() => undefined);
    this.#arrivals.set(targetId, arrival);
    // What comes after the session's end has nobody to go to.
    if (this.#ended) arrival.reject(this.#ended);
    return arrival;
  }

  /** Whoever looks at the tab waits for the page; that it does not come is told by what the tab shows then. */
  #begin(tab: Tab, url: string): void {
    tab.activity.navigating = true;
    tab.firstUrl = url;
    const begun = tab.client.send("Page.navigate", { url });
    tab.heldNavigation = begun;
    begun
      .then(({ errorText }) => errorText && tab.activity.failed())
      .catch((error: Error) => isGone(error) || this.#options.failures.cleanup("open-first-page", error));
  }

  #tell(): void {
    const record = this.record();
    const text = JSON.stringify(record);
    if (text === this.#lastRecord) return;
    this.#lastRecord = text;
    this.#options.changed(record);
  }
}

function tooManyTabs(): TroupeError {
  return fail("BUSY", {
    limit: `a session has at most ${TABS_MAX} tabs in a role`,
    holders: [],
    retryAfterMs: 1000,
  });
}
