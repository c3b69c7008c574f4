// The databases of a context's origins: marked by Chrome's events, read when nobody uses the session.
import type { CDPSession } from "puppeteer-core";
import { quote } from "../../proto/text/quote.ts";
import { FrameTimeout } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Tab } from "../tab/tab.ts";
import { backoffAfterBytesMs, backoffAfterMs } from "./backoff.ts";
import { captureOrigin } from "./capture-storage.ts";
import type { StoredOrigin } from "./storage-state.ts";

/** Characters of all databases of one context. */
const DATABASES_CHARS_MAX = 2_000_000;
/** How long nobody has used the session, and nothing has been written, before a page is asked. */
const IDLE_MS = 300;
/** What reading costs puts the next off for no longer. */
const PAUSE_MS_MAX = 10_000;
/** Origins of one tab whose databases are followed. */
const ORIGINS_MAX = 50;

/** What databases are read with, and who hears of them. */
export interface TrackedDatabasesParts {
  script: string;
  isIdle(): boolean;
  /** `text`: the origin's databases as JSON; empty where there are none. */
  changed(origin: string, text: string | undefined): void;
  /** Said of what is left out. */
  notKept(what: string): void;
  failed(error: Error): void;
}

export class TrackedDatabases {
  readonly #parts: TrackedDatabasesParts;
  readonly #tabs = new Set<Tab>();
  /** Origins whose databases may be others than they were told. */
  readonly #marked = new Set<string>();
  /** Origins of whose databases not all is told. */
  readonly #partial = new Set<string>();
  /** By origin, what was told last; undefined for what is too large. */
  readonly #told = new Map<string, string | undefined>();
  /** Tabs in which empty documents are given their storage: what happens there is no page's doing. */
  readonly #filling = new Set<Tab>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #notBeforeMs = 0;
  /** Since the last reading. */
  #toldChars = 0;
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
      // What was written before Chrome began to tell.
      this.#mark(origin);
    });
    client.on("Storage.indexedDBContentUpdated", ({ origin }) => this.#mark(origin));
    client.on("Storage.indexedDBListUpdated", ({ origin }) => {
      // Reading opens databases, which Chrome tells of too.
      if (!this.#reading) this.#mark(origin);
    });
  }

  /** Origins are given their storage by way of the tab, until it is disposed of. */
  fill(tab: Tab): Disposable {
    this.#filling.add(tab);
    return { [Symbol.dispose]: () => void this.#filling.delete(tab) };
  }

  /** The daemon has these databases of the origin already. */
  known(origin: string, databases: readonly object[]): void {
    this.#told.set(origin, textOf(databases));
  }

  /** The origin was given these databases, each in the place of one of its name. */
  given(origin: string, databases: StoredOrigin["indexedDB"]): void {
    const names = new Set(databases.map(({ name }) => name));
    const before: StoredOrigin["indexedDB"] = JSON.parse(this.#told.get(origin) || "[]");
    this.#tell(origin, textOf([...before.filter(({ name }) => !names.has(name)), ...databases]));
  }

  forget(tab: Tab): void {
    this.#tabs.delete(tab);
  }

  /** Whether some are to be read that a page shows which runs no more. */
  get waitForStillPages(): boolean {
    return [...this.#tabs].some((tab) => tab.isFrozen && this.#marked.has(originOf(tab.url) ?? ""));
  }

  /** Somebody uses the session: reading waits until he is done. */
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

  /** Reads what is marked, in pages that show its origin now; of others it is read when one does. */
  async read(): Promise<void> {
    this.#reading ??= this.#readMarked().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /** Origins that have databases which are not told as they are now. */
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

  /** Chrome's storage service answers, whether a page shows the origin or not. */
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
      backoffAfterBytesMs(this.#toldChars),
    );
    this.#notBeforeMs = nowMs + restMs;
    this.#toldChars = 0;
  }

  async #readOrigin(client: CDPSession, origin: string): Promise<void> {
    const { databaseNames } = await client.send("IndexedDB.requestDatabaseNames", {
      storageKey: `${origin}/`,
    });
    this.#partial.delete(origin);
    if (databaseNames.length === 0) return this.#tell(origin, "");
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
    this.#tell(origin, textOf(captured.origin.indexedDB));
  }

  #charsBut(origin: string): number {
    return [...this.#told].reduce((sum, [each, text = ""]) => (each === origin ? sum : sum + text.length), 0);
  }

  #tell(origin: string, whole: string): void {
    const text = this.#charsBut(origin) + whole.length > DATABASES_CHARS_MAX ? undefined : whole;
    if (this.#isClosed || (this.#told.has(origin) && this.#told.get(origin) === text)) return;
    this.#told.set(origin, text);
    this.#toldChars += text?.length ?? 0;
    this.#parts.changed(origin, text);
  }
}

/** A page that asks something, is on its way, or stands still says nothing. */
function canBeAsked(tab: Tab): boolean {
  return tab.isOpen && !tab.isFrozen && !tab.dialog && !tab.activity.navigating;
}

function textOf(databases: readonly object[]): string {
  return databases.length > 0 ? JSON.stringify(databases) : "";
}

function originOf(url: string): string | undefined {
  return /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : undefined;
}
