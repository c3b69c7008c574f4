// Sends the daemon's state to all open pages of the console. Pages with the same rights share one computed state.
import type { Client } from "../admission/client.ts";
import { rolesOf } from "../admission/rights.ts";
import { seesAll, seesRecord } from "../admission/visible.ts";
import type { Alarm } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { changeBetween, changed } from "./changes.ts";
import { eventOf } from "./event-stream.ts";
import {
  callView,
  episodeView,
  failureView,
  liveState,
  pastRecords,
  type Records,
  recordsElsewhere,
  type SlowState,
  type StateParts,
  slowState,
} from "./read-state.ts";
import { type ConsoleChange, type ConsoleState, RECORDS_MAX } from "./wire.ts";

/** A page that gets the feed. */
export interface FeedWatcher {
  /** Gets an event: the whole state at first, then changes. `whole` makes the event with the whole state. */
  send(event: Buffer, whole: () => Buffer): void;
}

export interface FeedParts extends StateParts {
  log: Log;
}

/** The time between two changes. Everything that happens meanwhile comes in one. */
export const TICK_MS = 1_000;
/** The journal is asked at each of these ticks, and the page gets at least a heartbeat. */
const SLOW_TICKS = 10;

export class Feed implements Disposable {
  readonly #parts: FeedParts;
  readonly #audiences = new Map<string, Audience>();
  #alarm: Alarm | undefined;
  #unwatch: (() => void) | undefined;
  #ticks = 0;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** The number of pages that get the feed. */
  get size(): number {
    let size = 0;
    for (const { watchers } of this.#audiences.values()) size += watchers.size;
    return size;
  }

  /** The page gets the whole state, then changes, until the caller calls the returned function. */
  join(client: Client, watcher: FeedWatcher): () => void {
    const key = audienceOf(client, this.#parts.supervisor.names);
    const audience = this.#audiences.get(key) ?? new Audience(client, this.#parts);
    this.#audiences.set(key, audience);
    this.#begin();
    audience.join(watcher);
    return () => {
      audience.watchers.delete(watcher);
      if (audience.watchers.size === 0 && this.#audiences.get(key) === audience) this.#audiences.delete(key);
      if (this.#audiences.size === 0) this.#end();
    };
  }

  [Symbol.dispose](): void {
    this.#audiences.clear();
    this.#end();
  }

  /** Nothing is followed while there is no page. */
  #begin(): void {
    if (this.#unwatch) return;
    this.#unwatch = this.#parts.flight.watch({
      called: (call) => {
        for (const audience of this.#audiences.values())
          if (seesRecord(call, audience.client)) {
            audience.add("calls", callView(call));
            if (call.failure) audience.add("failures", failureView(call));
          }
      },
      episodeEnded: (episode) => {
        for (const audience of this.#audiences.values())
          if (seesRecord(episode, audience.client)) audience.add("episodes", episodeView(episode));
      },
    });
    this.#tickLater();
  }

  #end(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#alarm?.cancel();
  }

  #tickLater(): void {
    this.#alarm = this.#parts.clock.after(TICK_MS, () => {
      const isSlow = ++this.#ticks % SLOW_TICKS === 0;
      const all = [...this.#audiences.values()].map((audience) => audience.tick(isSlow));
      void Promise.allSettled(all).then((outcomes) => {
        for (const outcome of outcomes)
          if (outcome.status === "rejected")
            this.#parts.log.error({ err: outcome.reason }, "the console's state could not be read");
        if (this.#unwatch) this.#tickLater();
      });
    });
  }
}

/** Clients with the same key see the same. A reload may change their roles. */
export function audienceOf(client: Client, names: readonly string[]): string {
  const roles = rolesOf(client, names);
  return JSON.stringify(seesAll(client) ? [roles] : [roles, client.roles, client.control, client.name]);
}

function idsOf(records: readonly { id: string }[]): ReadonlySet<string> {
  return new Set(records.map(({ id }) => id));
}

/** The pages that see the same. */
class Audience {
  readonly client: Client;
  readonly watchers = new Set<FeedWatcher>();
  readonly #parts: FeedParts;
  /** The first state, while it is read. */
  readonly #first: Promise<void>;
  #state: ConsoleState | undefined;
  /** The event with the whole state. All pages that need it share it. */
  #event: Buffer | undefined;
  #fresh: Records = { calls: [], failures: [], episodes: [] };
  /** The ids of other daemons' newest records at the last look. */
  #seen: { failures: ReadonlySet<string>; episodes: ReadonlySet<string> } | undefined;

  constructor(client: Client, parts: FeedParts) {
    this.client = client;
    this.#parts = parts;
    this.#first = this.#read();
  }

  join(watcher: FeedWatcher): void {
    this.watchers.add(watcher);
    this.#first.then(
      () => {
        if (this.watchers.has(watcher)) watcher.send(this.#whole(), () => this.#whole());
      },
      (error: unknown) => this.#parts.log.error({ err: error }, "the console's state could not be read"),
    );
  }

  /** Adds a record for the next change. Beyond the bound the oldest are left out. */
  add<K extends keyof Records>(kind: K, record: Records[K][number]): void {
    const list = this.#fresh[kind] as Records[K][number][];
    list.push(record);
    if (list.length > RECORDS_MAX) list.shift();
  }

  async tick(isSlow: boolean): Promise<void> {
    await this.#first;
    if (!this.#state) return;
    const live = await liveState(this.#parts, this.client);
    const slow: SlowState = isSlow ? await slowState(this.#parts, this.client, this.#state) : this.#state;
    if (isSlow) await this.#addElsewhere();
    const change: ConsoleChange = changeBetween(this.#state, { ...this.#state, ...slow, ...live }) ?? {};
    const fresh = this.#fresh;
    this.#fresh = { calls: [], failures: [], episodes: [] };
    for (const [kind, list] of Object.entries(fresh))
      if (list.length > 0) Object.assign(change, { [kind]: list });
    const isSame = Object.keys(change).length === 0;
    if (!isSame) {
      this.#state = changed(this.#state, change);
      this.#event = undefined;
    }
    if (isSame && !isSlow) return;
    const event = eventOf(isSame ? "beat" : "change", change);
    for (const watcher of this.watchers) watcher.send(event, () => this.#whole());
  }

  async #read(): Promise<void> {
    const records = await pastRecords(this.#parts, this.client);
    // Records that come from here on are in the next change.
    this.#fresh = { calls: [], failures: [], episodes: [] };
    const live = await liveState(this.#parts, this.client);
    this.#state = { ...records, ...live, ...(await slowState(this.#parts, this.client)) };
    await this.#addElsewhere();
  }

  /** Adds what other daemons recorded since the last look, for the next change. */
  async #addElsewhere(): Promise<void> {
    const { failures, episodes } = await recordsElsewhere(this.#parts, this.client);
    const seen = this.#seen;
    this.#seen = { failures: idsOf(failures), episodes: idsOf(episodes) };
    for (const { id, ...failure } of failures) {
      if (seen?.failures.has(id)) continue;
      // The first state has all calls.
      if (seen) this.add("calls", callView(failure));
      this.add("failures", failure);
    }
    for (const { id, ...episode } of episodes) if (!seen?.episodes.has(id)) this.add("episodes", episode);
  }

  #whole(): Buffer {
    this.#event ??= eventOf("state", this.#state);
    return this.#event;
  }
}
