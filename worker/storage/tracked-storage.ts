// The storage of a browser context, followed while it is used and told on, so that another worker can go on with it.
import type { CDPSession } from "puppeteer-core";
import type { StoragePart } from "../../proto/gen/troupe.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Tab } from "../tab/tab.ts";
import { backoffAfterBytesMs, backoffAfterMs } from "./backoff.ts";
import { toStored } from "./capture-storage.ts";
import { type Items, partName, type StoredParts } from "./storage-parts.ts";
import type { StoredOrigin } from "./storage-state.ts";
import { TrackedDatabases } from "./tracked-databases.ts";
import { type AreaChange, WebAreas } from "./web-areas.ts";

/** Characters that are kept of one context: beyond them, a part is not kept, and that is said. All come back in one message. */
const WEB_STORAGE_CHARS_MAX = 2_000_000;
const COOKIES_CHARS_MAX = 1_000_000;
/** So many parts are remembered to have been said to be lost; of more, the first is said again. */
const SAID_LOST_MAX = 200;
/** What a look costs puts the next off for no longer. */
const PAUSE_MS_MAX = 250;
/** What pages do without any call is told together. */
const TOGETHER_MS = 200;
/** A reply waits no longer for what its call stored to be told. */
const TOLD_MS_MAX = 500;

/** What a context's storage is kept with. */
export interface TrackedStorageParts {
  /** The browser target's session. */
  browser: CDPSession;
  /** The session's key; empty for a context that sessions share. */
  key: string;
  /** The key of the session that has the context now; empty while it is nobody's, and where sessions share it. */
  owner(): string;
  /** The storage program, as it was bundled. */
  storageScript: string;
  failures: FailureLog;
  /** Told of the parts that changed. `key`: the session's whose they are. */
  storageChanged(key: string, parts: StoragePart[]): void;
}

/** Follows a context. Ended by {@link TrackedStorage.close}. */
export class TrackedStorage {
  readonly #parts: TrackedStorageParts & { contextId: string };
  readonly #areas = new WebAreas(WEB_STORAGE_CHARS_MAX);
  readonly #databases: TrackedDatabases;
  /** Who has a tab: a part of its own session is told under this key. By the beginning of the part's name. */
  readonly #ownerOf = new Map<string, string>();
  readonly #saidLost = new Set<string>();
  /** Parts that the daemon does not have as they are: too large, or not to be read. */
  readonly #notKept = new Set<string>();
  /** As they were told last; undefined where they could not be read since. */
  #cookies: string | undefined = "";
  #calls = 0;
  #timer: { atMs: number; timer: NodeJS.Timeout } | undefined;
  #telling: Promise<void> | undefined;
  /** Something was to be looked at while that was under way. */
  #isAsked = false;
  #notBeforeMs = 0;
  #isClosed = false;

  constructor(parts: TrackedStorageParts & { contextId: string }) {
    this.#parts = parts;
    this.#databases = new TrackedDatabases({
      script: parts.storageScript,
      isIdle: () => this.#calls === 0,
      changed: (origin, text) => this.#tell(new Map([[partName({ area: "databases", origin }), text]])),
      notKept: (what) => this.#sayLost(what),
      failed: (error) => parts.failures.cleanup("keep-databases", error),
    });
  }

  /** A call is under way until what is returned is called; then it is looked what it changed. */
  begin(): () => void {
    this.#calls++;
    return () => {
      this.#calls--;
      this.#soon(0);
    };
  }

  /**
   * Resolves when what is stored by now has been told, so that what a client knows to be done outlives the worker;
   * databases follow.
   */
  async told(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await withinTime(() => this.#lookAfresh(), TOLD_MS_MAX);
    } catch (error) {
      // The browser is slow to tell: what it holds is told when it does.
      if (!(error instanceof FrameTimeout)) throw error;
    }
  }

  /** The context was given a login whose file was written then. */
  loginGiven(writtenAtMs: number): void {
    this.#tell(new Map([[partName({ area: "login" }), JSON.stringify(writtenAtMs)]]));
  }

  /** Follows a tab from its beginning: its own session, before its page runs. `key`: the session's that has it. */
  watchTab(tab: Tab, key: string, opener: Tab | undefined): void {
    this.#databases.watch(tab);
    const own = ownPrefix(tab.id, key);
    this.#ownerOf.set(own, key);
    if (opener && tab.reachesOpener) this.#areas.copy(ownPrefix(opener.id, key), own);
  }

  /** Follows a process of a tab. Everything is sent at once. */
  watch(client: CDPSession, tab: Tab, key: string): Promise<unknown> {
    const change = (id: { storageKey?: string; isLocalStorage: boolean }, what: AreaChange) => {
      const origin = originOf(id.storageKey);
      if (origin === undefined) return;
      this.#areas.apply(
        id.isLocalStorage ? partName({ area: "local", origin }) : ownPrefix(tab.id, key) + origin,
        what,
      );
      this.#soon(TOGETHER_MS);
    };
    client.on("DOMStorage.domStorageItemAdded", ({ storageId, key: name, newValue: value }) =>
      change(storageId, { kind: "set", key: name, value }),
    );
    client.on("DOMStorage.domStorageItemUpdated", ({ storageId, key: name, newValue: value }) =>
      change(storageId, { kind: "set", key: name, value }),
    );
    client.on("DOMStorage.domStorageItemRemoved", ({ storageId, key: name }) =>
      change(storageId, { kind: "removed", key: name }),
    );
    client.on("DOMStorage.domStorageItemsCleared", ({ storageId }) => change(storageId, { kind: "cleared" }));
    client.on("Network.responseReceivedExtraInfo", ({ headers }) => {
      if (Object.keys(headers).some((name) => name.toLowerCase() === "set-cookie")) this.#soon(TOGETHER_MS);
    });
    return client.send("DOMStorage.enable");
  }

  /** The tab is closed, and its session storage with it. */
  forgetTab(tab: Tab, key: string): void {
    this.#databases.forget(tab);
    this.forgetId(tab.id, key);
  }

  /** The tab's session has ended: what the tab had is told no more, as it may be kept for the session's return. */
  leaveTab(tab: Tab, key: string): void {
    const own = ownPrefix(tab.id, key);
    this.#databases.forget(tab);
    this.#areas.forget(own);
    this.#ownerOf.delete(own);
    for (const names of [this.#saidLost, this.#notKept])
      for (const name of names) if (name.startsWith(own)) names.delete(name);
  }

  /** A tab that was suspended is not opened again. */
  forgetId(tabId: string, key: string): void {
    const own = ownPrefix(tabId, key);
    this.#areas.drop(own);
    this.#tellAreas();
    this.#ownerOf.delete(own);
  }

  /** The tab is closed, and will be opened again: its session's storage, by origin, is kept until then. */
  suspendTab(tab: Tab, key: string): Map<string, Items> {
    this.#databases.forget(tab);
    return this.#areas.held(ownPrefix(tab.id, key));
  }

  /** Whether something can be told only once pages that stand still go on. */
  get waitsForStillPages(): boolean {
    return this.#databases.waitForStillPages;
  }

  /** The daemon has these parts of it already. */
  known({ databases }: Pick<StoredParts, "databases">): void {
    for (const [origin, each] of databases) this.#databases.known(origin, each);
  }

  /** Puts storage into the context by way of the tab, and tells of what no event does. */
  async fill<T>(tab: Tab, origins: readonly StoredOrigin[], work: () => Promise<T>): Promise<T> {
    using _filling = this.#databases.fill(tab);
    const result = await work();
    for (const { origin, indexedDB } of origins)
      if (indexedDB.length > 0) this.#databases.given(origin, indexedDB);
    return result;
  }

  /** What of a session's storage would be lost with the worker now, in words. `key`: the session's. */
  async notKept(key: string): Promise<string[]> {
    const databases = (await this.#databases.notKept()).map((origin) =>
      partName({ area: "databases", origin }),
    );
    const own = [...new Set([...this.#notKept, ...databases])].filter(
      (name) => this.#sessionOf(name) === key,
    );
    return own.map((name) => `stored data that cannot be kept (${this.#addressed(name, "").part.name})`);
  }

  /** Tells what is not told yet, databases too. */
  async flush(): Promise<void> {
    await this.#databases.read();
    await this.#telling;
    await this.#look();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer?.timer);
    this.#databases.close();
  }

  /** One look for whatever asks for it, at the earliest time that was asked for. */
  #soon(inMs: number): void {
    if (this.#isClosed) return;
    this.#databases.soon();
    const atMs = Math.max(performance.now() + inMs, this.#notBeforeMs);
    if (this.#timer && this.#timer.atMs <= atMs) return;
    clearTimeout(this.#timer?.timer);
    const look = () => {
      this.#timer = undefined;
      this.#isAsked = this.#telling !== undefined;
      void this.#begun();
    };
    this.#timer = { atMs, timer: setTimeout(look, Math.max(0, atMs - performance.now())) };
    this.#timer.timer.unref();
  }

  /** Looks when all has happened that had before this was asked for. */
  async #lookAfresh(): Promise<void> {
    while (this.#telling) await this.#telling;
    clearTimeout(this.#timer?.timer);
    this.#timer = undefined;
    await this.#begun();
  }

  #begun(): Promise<void> {
    this.#telling ??= this.#look().finally(() => {
      this.#telling = undefined;
      if (this.#isAsked) this.#soon(0);
    });
    return this.#telling;
  }

  async #look(): Promise<void> {
    this.#tellAreas();
    const beganMs = performance.now();
    try {
      const { browser, contextId } = this.#parts;
      const { cookies } = await browser.send("Storage.getCookies", { browserContextId: contextId });
      const text = cookies.length > 0 ? JSON.stringify(cookies.map(toStored)) : "";
      if (text === this.#cookies) return;
      const isKept = text.length <= COOKIES_CHARS_MAX;
      this.#tell(new Map([[partName({ area: "cookies" }), isKept ? text : undefined]]));
      this.#cookies = text;
    } catch (error) {
      // The next look tells them whatever they are.
      this.#cookies = undefined;
      this.#notKept.add(partName({ area: "cookies" }));
      // The context or the browser is gone, and somebody else says so.
      if (!isGone(error) && !this.#isClosed) this.#parts.failures.cleanup("keep-cookies", error as Error);
    } finally {
      const nowMs = performance.now();
      this.#notBeforeMs = Math.max(this.#notBeforeMs, nowMs + backoffAfterMs(nowMs - beganMs, PAUSE_MS_MAX));
    }
  }

  #tellAreas(): void {
    if (this.#areas.hasChanged) this.#tell(this.#areas.takeChanged());
  }

  /** `texts`: by the part's name; undefined for one that is too large. */
  #tell(texts: ReadonlyMap<string, string | undefined>): void {
    if (this.#isClosed) return;
    const byKey = new Map<string, StoragePart[]>();
    for (const [name, text] of texts) {
      if (text === undefined) {
        this.#notKept.add(name);
        this.#sayLost(name);
      } else {
        this.#notKept.delete(name);
        this.#saidLost.delete(name);
      }
      const { key, part } = this.#addressed(name, text ?? "");
      byKey.set(key, [...(byKey.get(key) ?? []), part]);
    }
    for (const [key, parts] of byKey) this.#parts.storageChanged(key, parts);
    const bytes = [...byKey.values()].flat().reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
    // At once: what is stored while a look goes on asks for the next one.
    this.#notBeforeMs = Math.max(this.#notBeforeMs, performance.now() + backoffAfterBytesMs(bytes));
  }

  #addressed(name: string, text: string): { key: string; part: StoragePart } {
    const data = Buffer.from(text);
    const [own, key] = [...this.#ownerOf].find(([prefix]) => name.startsWith(prefix)) ?? [];
    if (own === undefined || key === undefined) return { key: this.#parts.key, part: { name, data } };
    const [tab] = own.split("\n");
    return { key, part: { name: `session ${tab} ${name.slice(own.length)}`, data } };
  }

  #sayLost(name: string): void {
    if (this.#saidLost.has(name)) return;
    this.#saidLost.add(name);
    const [first] = this.#saidLost;
    if (this.#saidLost.size > SAID_LOST_MAX && first !== undefined) this.#saidLost.delete(first);
    const { part } = this.#addressed(name, "");
    const words = `${part.name} is too large or cannot be read: it would be lost with the worker.`;
    this.#parts.failures.incident("storage-not-kept", words, { session: this.#sessionOf(name) });
  }

  /** The key of the session that a part belongs to; empty where sessions share it. */
  #sessionOf(name: string): string {
    return this.#addressed(name, "").key || this.#parts.owner();
  }
}

/** Tabs of sessions that share a context may have the same id. */
function ownPrefix(tab: string, key: string): string {
  return `${tab}\n${key}\n`;
}

/** The origin of a storage that a login could hold; a frame of another site than its page has one of its own. */
function originOf(storageKey: string | undefined): string | undefined {
  const origin = storageKey?.endsWith("/") ? storageKey.slice(0, -1) : undefined;
  return origin && /^https?:\/\/[^/^]+$/.test(origin) ? origin : undefined;
}
