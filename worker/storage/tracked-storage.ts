// Follows the storage of a browser context during its use. Reports it, so that another worker can go on with it.
import type { CDPSession } from "puppeteer-core";
import type { StoragePart } from "../../proto/gen/troupe.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { Tab } from "../tab/tab.ts";
import { backoffAfterBytesMs, backoffAfterMs } from "./backoff.ts";
import { holdsAnything, toStored } from "./capture-storage.ts";
import { type Items, partName, type StoredParts } from "./storage-parts.ts";
import type { StorageState, StoredOrigin } from "./storage-state.ts";
import { TrackedDatabases } from "./tracked-databases.ts";
import { type AreaChange, WebAreas } from "./web-areas.ts";

/**
 * The bounds for one context, in characters. A part beyond them is not kept, and that is recorded. All parts come back
 * in one message.
 */
const WEB_STORAGE_CHARS_MAX = 2_000_000;
const COOKIES_CHARS_MAX = 1_000_000;
/** The beginning of the names of local storage. */
const LOCAL = partName({ area: "local", origin: "" });
/** At most this many lost parts are remembered as recorded. Beyond that, the oldest may be recorded again. */
const SAID_LOST_MAX = 200;
/** The pause after a read is never longer than this. */
const PAUSE_MS_MAX = 250;
/** Changes outside of calls are reported together, after this time. */
const TOGETHER_MS = 200;
/** A reply waits at most this long until its call's storage is reported. */
const REPORT_MS_MAX = 500;

/** The parts that a context's storage is followed with. */
export interface TrackedStorageParts {
  /** The browser target's session. */
  browser: CDPSession;
  /** The session's key; empty for a context that sessions share. */
  key: string;
  /** The key of the session that has the context now. Empty before a client has it, or if sessions share it. */
  owner(): string;
  /** The storage script, as it was bundled. */
  storageScript: string;
  failures: FailureLog;
  /** Called with the changed parts. `key`: the session that they belong to. */
  storageChanged(key: string, parts: StoragePart[]): void;
}

/** Follows a context. Ended by {@link TrackedStorage.close}. */
export class TrackedStorage {
  readonly #parts: TrackedStorageParts & { contextId: string };
  readonly #isPersonal: boolean;
  readonly #areas = new WebAreas(WEB_STORAGE_CHARS_MAX);
  readonly #databases: TrackedDatabases;
  /** Maps a tab's name prefix to its session's key. Parts with that prefix are reported under the key. */
  readonly #ownerOf = new Map<string, string>();
  readonly #saidLost = new Map<string, true>();
  /** Parts whose present state the daemon does not have: too large, or unreadable. */
  readonly #notKept = new Set<string>();
  /** The last report. Undefined if they could not be read since. */
  #cookies: string | undefined = "";
  #calls = 0;
  #timer: { atMs: number; timer: NodeJS.Timeout } | undefined;
  #reporting: Promise<void> | undefined;
  /** Another read was requested during the present one. */
  #isAsked = false;
  #notBeforeMs = 0;
  #isClosed = false;

  /** `isPersonal`: the context is a person's own. Nothing of it is kept but the session storage of open tabs. */
  constructor(parts: TrackedStorageParts & { contextId: string; isPersonal?: boolean }) {
    const { isPersonal = false } = parts;
    this.#parts = parts;
    this.#isPersonal = isPersonal;
    this.#isClosed = isPersonal;
    this.#databases = new TrackedDatabases({
      script: parts.storageScript,
      isIdle: () => this.#calls === 0,
      changed: (origin, text) => this.#report(new Map([[partName({ area: "databases", origin }), text]])),
      notKept: (what) => this.#sayLost(what),
      failed: (error) => parts.failures.cleanup("keep-databases", error),
    });
  }

  /**
   * Notes that a call is under way. The caller calls the returned function at its end, and the changes are then read.
   */
  begin(): () => void {
    this.#calls++;
    return () => {
      this.#calls--;
      this.#soon(0);
    };
  }

  /**
   * Resolves when everything stored so far has been reported. A change that a client knows of then outlives the worker.
   * Databases follow later.
   */
  async reported(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await withinTime(() => this.#readAfresh(), REPORT_MS_MAX);
    } catch (error) {
      // The browser is slow to answer, so its data is reported later.
      if (!(error instanceof FrameTimeout)) throw error;
    }
  }

  /** Reports that the context was given a login, and when its file was written. */
  loginGiven(writtenAtMs: number): void {
    this.#report(new Map([[partName({ area: "login" }), JSON.stringify(writtenAtMs)]]));
  }

  /** Follows a tab before its page runs, including its session storage. `key`: the session that has the tab. */
  watchTab(tab: Tab, key: string, opener: Tab | undefined): void {
    if (!this.#isPersonal) this.#databases.watch(tab);
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

  /**
   * Stops following a tab whose session has ended. Nothing more is reported of it, because its storage may be kept for
   * the session's return.
   */
  leaveTab(tab: Tab, key: string): void {
    const own = ownPrefix(tab.id, key);
    this.#databases.forget(tab);
    this.#areas.forget(own);
    this.#ownerOf.delete(own);
    for (const names of [this.#saidLost, this.#notKept])
      for (const name of names.keys()) if (name.startsWith(own)) names.delete(name);
  }

  /** Drops a tab that is closed for good, with its session storage. `tab`: undefined if its page was closed before. */
  forgetTab(tabId: string, key: string, tab?: Tab): void {
    if (tab) this.#databases.forget(tab);
    const own = ownPrefix(tabId, key);
    this.#areas.drop(own);
    this.#reportAreas();
    this.#ownerOf.delete(own);
  }

  /** Suspends a tab that will be opened again. Returns its session storage, by origin. */
  suspendTab(tab: Tab, key: string): Map<string, Items> {
    this.#databases.forget(tab);
    return this.#areas.held(ownPrefix(tab.id, key));
  }

  /** Is true if something can be reported only once frozen pages are resumed. */
  get waitsForStillPages(): boolean {
    return this.#databases.waitForStillPages;
  }

  /** Notes databases that the daemon already has. */
  known({ databases }: Pick<StoredParts, "databases">): void {
    for (const [origin, each] of databases) this.#databases.known(origin, each);
  }

  /** Loads storage into the context through the tab, and reports the databases, which have no events. */
  async fill<T>(tab: Tab, origins: readonly StoredOrigin[], work: () => Promise<T>): Promise<T> {
    using _filling = this.#databases.fill(tab);
    const result = await work();
    for (const { origin, indexedDB } of origins)
      if (indexedDB.length > 0) this.#databases.given(origin, indexedDB);
    return result;
  }

  /** Lists in words the session's storage that would be lost with the worker now. `key`: the session's. */
  async notKept(key: string): Promise<string[]> {
    const databases = (await this.#databases.notKept()).map((origin) =>
      partName({ area: "databases", origin }),
    );
    const own = [...new Set([...this.#notKept, ...databases])].filter(
      (name) => this.#sessionOf(name) === key,
    );
    return own.map((name) => `stored data that cannot be kept (${this.#addressed(name, "").part.name})`);
  }

  /** Returns all that the context stores, as a login. Session storage is that of this tab. `key`: the tab's session. */
  async asLogin(tabId: string, key: string): Promise<StorageState> {
    await this.flush();
    const { browser, contextId } = this.#parts;
    const { cookies } = await browser.send("Storage.getCookies", { browserContextId: contextId });
    const [local, session] = [this.#areas.held(LOCAL), this.#areas.held(ownPrefix(tabId, key))];
    const databases = this.#databases.held();
    const names = new Set([...local.keys(), ...session.keys(), ...databases.keys()]);
    const origins = [...names].map((origin) => ({
      origin,
      localStorage: local.get(origin) ?? [],
      sessionStorage: session.get(origin) ?? [],
      indexedDB: databases.get(origin) ?? [],
    }));
    return { cookies: cookies.map(toStored), origins: origins.filter((each) => holdsAnything(each)) };
  }

  /** Reports everything that is not reported yet, databases too. */
  async flush(): Promise<void> {
    if (this.#isPersonal) return;
    await this.#databases.read();
    await this.#reporting;
    await this.#read();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer?.timer);
    this.#databases.close();
  }

  /** Schedules one read for all requests, at the earliest time that was asked for. */
  #soon(inMs: number): void {
    if (this.#isClosed) return;
    this.#databases.soon();
    const atMs = Math.max(performance.now() + inMs, this.#notBeforeMs);
    if (this.#timer && this.#timer.atMs <= atMs) return;
    clearTimeout(this.#timer?.timer);
    const read = () => {
      this.#timer = undefined;
      this.#isAsked = this.#reporting !== undefined;
      void this.#begun();
    };
    this.#timer = { atMs, timer: setTimeout(read, Math.max(0, atMs - performance.now())) };
    this.#timer.timer.unref();
  }

  /** Reads again, including everything that happened before this call. */
  async #readAfresh(): Promise<void> {
    while (this.#reporting) await this.#reporting;
    clearTimeout(this.#timer?.timer);
    this.#timer = undefined;
    await this.#begun();
  }

  #begun(): Promise<void> {
    this.#reporting ??= this.#read().finally(() => {
      this.#reporting = undefined;
      if (this.#isAsked) this.#soon(0);
    });
    return this.#reporting;
  }

  async #read(): Promise<void> {
    this.#reportAreas();
    const beganMs = performance.now();
    try {
      const { browser, contextId } = this.#parts;
      const { cookies } = await browser.send("Storage.getCookies", { browserContextId: contextId });
      const text = cookies.length > 0 ? JSON.stringify(cookies.map(toStored)) : "";
      if (text === this.#cookies) return;
      const isKept = text.length <= COOKIES_CHARS_MAX;
      this.#report(new Map([[partName({ area: "cookies" }), isKept ? text : undefined]]));
      this.#cookies = text;
    } catch (error) {
      // The next read then reports them in any case.
      this.#cookies = undefined;
      this.#notKept.add(partName({ area: "cookies" }));
      // If the context or the browser is gone, that is reported elsewhere.
      if (!this.#isClosed) this.#parts.failures.cleanup("keep-cookies", error as Error);
    } finally {
      const nowMs = performance.now();
      this.#notBeforeMs = Math.max(this.#notBeforeMs, nowMs + backoffAfterMs(nowMs - beganMs, PAUSE_MS_MAX));
    }
  }

  #reportAreas(): void {
    if (this.#areas.hasChanged) this.#report(this.#areas.takeChanged());
  }

  /** `texts`: by the part's name. Undefined for a part that is too large. */
  #report(texts: ReadonlyMap<string, string | undefined>): void {
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
    // This is set at once, because data stored during a read requests the next one.
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
    keepNewest(this.#saidLost, name, true, SAID_LOST_MAX);
    const { part } = this.#addressed(name, "");
    const words = `${part.name} is too large or cannot be read: it would be lost with the worker.`;
    this.#parts.failures.incident("storage-not-kept", words, { session: this.#sessionOf(name) });
  }

  /** Returns the key of the session that a part belongs to. Empty if sessions share it. */
  #sessionOf(name: string): string {
    return this.#addressed(name, "").key || this.#parts.owner();
  }
}

/** The key is included because tabs of sessions that share a context may have the same id. */
function ownPrefix(tab: string, key: string): string {
  return `${tab}\n${key}\n`;
}

/**
 * Returns the origin of a storage that may belong to a login. A frame of another site than its page has a storage of
 * its own.
 */
function originOf(storageKey: string | undefined): string | undefined {
  const origin = storageKey?.endsWith("/") ? storageKey.slice(0, -1) : undefined;
  return origin && /^https?:\/\/[^/^]+$/.test(origin) ? origin : undefined;
}
