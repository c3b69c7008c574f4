// Follows the databases of a context's origins. Chrome's events mark them, and they are read while the session is idle.
import type { CDPSession } from "puppeteer-core";
import { quote } from "../../proto/text/quote.ts";
import { FrameTimeout } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Tab } from "../tab/tab.ts";
import { backoffAfterBytesMs, backoffAfterMs } from "./backoff.ts";
import { captureOrigin } from "./capture-storage.ts";
import type { StoredOrigin } from "./storage-state.ts";

/** The bound for all databases of one context, in characters. */
const DATABASES_CHARS_MAX = 2_000_000;
/** A page is asked after this long without a call and without a write. */
const IDLE_MS = 300;
/** The pause after a read is never longer than this. */
const PAUSE_MS_MAX = 10_000;
/** At most this many origins of one tab are followed. */
const ORIGINS_MAX = 50;

/** The parts that databases are read and reported with. */
export interface TrackedDatabasesParts {
  script: string;
  isIdle(): boolean;
  /** `text`: the origin's databases as JSON. Empty if there are none, undefined if they are too large. */
  changed(origin: string, text: string | undefined): void;
  /** Called for each part that is left out. */
  notKept(what: string): void;
  failed(error: Error): void;
}

export class TrackedDatabases {
  readonly #parts: TrackedDatabasesParts;
  readonly #tabs = new Set<Tab>();
  /** Origins whose databases may have changed since they were reported. */
  readonly #marked = new Set<string>();
  /** Origins whose databases were only partly reported. */
  readonly #partial = new Set<string>();
  /** The last report of each origin. Undefined if it is too large. */
  readonly #reported = new Map<string, string | undefined>();
  /** Tabs whose empty documents are being given their storage. Events there do not come from a page. */
  readonly #filling = new Set<Tab>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #notBeforeMs = 0;
  /** Counts the characters reported since the last reading. */
  #reportedChars = 0;
  #isClosed = false;

  constructor(parts: TrackedDatabasesParts) {
    this.#parts = parts;
  }

  /** Follows the origins that the tab shows. */
  watch(tab: Tab): void {
    this.#tabs.add(tab);
    const { client } = tab;
    const tracked = new Set<string>();
    client.on("Page.frameNavigated", ({ frame }) => {
      const origin = originOf(frame.url);
      if (this.#filling.has(tab)) return;
      if (frame.parentId || !origin || tracked.has(origin) || tracked.size >= ORIGINS_MAX) return;
      tracked.add(origin);
      client.send("Storage.trackIndexedDBForOrigin", { origin }).catch((error: Error) => {
        if (!isGone(error)) this.#parts.failed(error);
      });
      // Something may have been written before Chrome's events began.
      this.#mark(origin);
    });
    client.on("Storage.indexedDBContentUpdated", ({ origin }) => this.#mark(origin));
    client.on("Storage.indexedDBListUpdated", ({ origin }) => {
      // Reading opens databases, which Chrome reports too.
      if (!this.#reading) this.#mark(origin);
    });
  }

  /** Marks the tab as one that loads origins' storage, until it is disposed of. */
  fill(tab: Tab): Disposable {
    this.#filling.add(tab);
    return { [Symbol.dispose]: () => void this.#filling.delete(tab) };
  }

  /** Notes databases of the origin that the daemon already has. */
  known(origin: string, databases: readonly object[]): void {
    this.#reported.set(origin, textOf(databases));
  }

  /** Reports databases that the origin was given. Each replaces the one of the same name. */
  given(origin: string, databases: StoredOrigin["indexedDB"]): void {
    const names = new Set(databases.map(({ name }) => name));
    const before: StoredOrigin["indexedDB"] = JSON.parse(this.#reported.get(origin) || "[]");
    this.#report(origin, textOf([...before.filter(({ name }) => !names.has(name)), ...databases]));
  }

  /** Returns the databases as they were reported last, by origin. */
  held(): Map<string, StoredOrigin["indexedDB"]> {
    return new Map([...this.#reported].map(([origin, text]) => [origin, JSON.parse(text || "[]")]));
  }

  forget(tab: Tab): void {
    this.#tabs.delete(tab);
  }

  /** Is true if marked databases belong to a frozen page. */
  get waitForStillPages(): boolean {
    return [...this.#tabs].some((tab) => tab.lifecycle.isFrozen && this.#marked.has(originOf(tab.url) ?? ""));
  }

  /** Schedules a reading. It waits while a call uses the session. */
  soon(): void {
    if (this.#marked.size === 0 || this.#isClosed) return;
    clearTimeout(this.#timer);
    const inMs = Math.max(IDLE_MS, this.#notBeforeMs - performance.now());
    this.#timer = setTimeout(() => {
      if (this.#parts.isIdle()) void this.read();
      else this.soon();
    }, inMs);
    this.#timer.unref();
  }

  /** Reads the marked origins that a page shows now. Others are read once a page shows them. */
  async read(): Promise<void> {
    this.#reading ??= this.#readMarked().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Returns the origins with databases whose present state was not reported. */
  async notKept(): Promise<string[]> {
    const unread = [...this.#marked].map(async (origin) => ((await this.#mayHold(origin)) ? [origin] : []));
    return [...this.#partial, ...(await Promise.all(unread)).flat()];
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #mark(origin: string): void {
    this.#marked.add(origin);
    this.soon();
  }

  /** Chrome's storage service answers even if no page shows the origin. */
  async #mayHold(origin: string): Promise<boolean> {
    const [tab] = this.#tabs;
    if (!tab) return true;
    try {
      const { usageBreakdown } = await tab.client.send("Storage.getUsageAndQuota", { origin });
      return usageBreakdown.some(({ storageType, usage }) => storageType === "indexeddb" && usage > 0);
    } catch (error) {
      if (!isGone(error)) throw error;
      return true;
    }
  }

  async #readMarked(): Promise<void> {
    const beganMs = performance.now();
    for (const origin of [...this.#marked]) {
      const tab = [...this.#tabs].find((each) => canBeAsked(each) && originOf(each.url) === origin);
      if (!tab) continue;
      this.#marked.delete(origin);
      try {
        await this.#readOrigin(tab.client, origin);
      } catch (error) {
        if (this.#isClosed) return;
        this.#marked.add(origin);
        if (!isGone(error) && !(error instanceof FrameTimeout)) this.#parts.failed(error as Error);
      }
    }
    const nowMs = performance.now();
    const restMs = Math.max(
      backoffAfterMs(nowMs - beganMs, PAUSE_MS_MAX),
      backoffAfterBytesMs(this.#reportedChars),
    );
    this.#notBeforeMs = nowMs + restMs;
    this.#reportedChars = 0;
  }

  async #readOrigin(client: CDPSession, origin: string): Promise<void> {
    const { databaseNames } = await client.send("IndexedDB.requestDatabaseNames", {
      storageKey: `${origin}/`,
    });
    this.#partial.delete(origin);
    if (databaseNames.length === 0) return this.#report(origin, "");
    const captured = await captureOrigin(client, {
      script: this.#parts.script,
      databaseChars: Math.max(0, DATABASES_CHARS_MAX - this.#charsBut(origin)),
    });
    if (captured?.origin.origin !== origin) throw new FrameTimeout("the page went on");
    for (const { area, database = "", store = "", reason } of captured.leftOut) {
      if (area !== "indexedDB") continue;
      this.#partial.add(origin);
      this.#parts.notKept(`databases ${origin} ${quote(database)} ${quote(store)} (${reason})`);
    }
    this.#report(origin, textOf(captured.origin.indexedDB));
  }

  #charsBut(origin: string): number {
    return [...this.#reported].reduce(
      (sum, [each, text = ""]) => (each === origin ? sum : sum + text.length),
      0,
    );
  }

  #report(origin: string, whole: string): void {
    const text = this.#charsBut(origin) + whole.length > DATABASES_CHARS_MAX ? undefined : whole;
    if (this.#isClosed || (this.#reported.has(origin) && this.#reported.get(origin) === text)) return;
    this.#reported.set(origin, text);
    this.#reportedChars += text?.length ?? 0;
    this.#parts.changed(origin, text);
  }
}

/** A page cannot be asked while it has a dialog, is loading, or is frozen. */
function canBeAsked(tab: Tab): boolean {
  return tab.isOpen && !tab.lifecycle.isFrozen && !tab.halt && !tab.activity.navigating;
}

function textOf(databases: readonly object[]): string {
  return databases.length > 0 ? JSON.stringify(databases) : "";
}

function originOf(url: string): string | undefined {
  return /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : undefined;
}
