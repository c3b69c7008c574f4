// What a role's sessions are and have, for a worker that is to go on with them: told by one worker, given to the next.
import type { SessionRecord, StorageChanged } from "../../proto/gen/troupe.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Worker } from "../worker-process/worker.ts";
import { hasInput, LostInput } from "./lost-input.ts";
import { StorageRestore } from "./storage-restore.ts";
import type { SessionKeeper } from "./supervision.ts";

const ASK_TIMEOUT_MS = 5000;
/** The part that holds a session's tabs, beside those that its worker names. */
const TABS = "tabs";
const NOTHING_TO_TELL = { isSpared: false, losses: [] as string[] };

/** How a session is put to rest. */
export interface RestRequest {
  key: string;
  /** Not if it would lose something. */
  sparing: boolean;
  /** Whether it is still the session that was to rest: it may have ended, and another begun under its key. */
  isStill(): boolean;
}

/** The sessions of one role. */
export class SessionRecords {
  /** What they had typed when their worker ended, or they were put to rest. */
  readonly lostInput = new LostInput();
  /** Those that are awake; set by whoever admits them. */
  holds: (key: string) => boolean = () => true;
  readonly #role: string;
  readonly #kept: SessionKeeper;
  /** By key; only of those that are awake. */
  readonly #awake = new Map<string, SessionRecord>();
  readonly #storage: StorageRestore;
  /** By key, the parts that could not be kept when they changed: what is kept of the session is older. */
  readonly #unkept = new Map<string, Set<string>>();
  readonly #log: Log;

  constructor(role: string, kept: SessionKeeper, log: Log) {
    this.#role = role;
    this.#kept = kept;
    this.#storage = new StorageRestore(role, kept, log);
    this.#log = log;
  }

  /** The daemon before this one had the session, and it goes on. */
  returned(key: string): void {
    for (const record of this.#kept.tabsOf(this.#role, key)) {
      if (record.lostByRest.length > 0) this.lostInput.rested(record);
      else this.lostInput.workerGone([record], { reason: "the daemon was started again" });
    }
  }

  /** Whether a session has typed what it has not sent, and would lose it with the worker. */
  get hasInput(): boolean {
    return hasInput(this.#held);
  }

  /** As those that are awake now tell of themselves. */
  get awake(): Iterable<SessionRecord> {
    return this.#awake.values();
  }

  /** What a worker starts with. */
  begin(): SessionRecord[] {
    const held = this.#held;
    this.#unkept.clear();
    this.#storage.begin(held.map(({ key }) => key));
    return held.map((record) => ({ ...record, typed: this.lostInput.typedIn(record.key) }));
  }

  /** A session's tabs are these now. */
  told(record: SessionRecord): void {
    if (!this.holds(record.key)) return;
    this.lostInput.opened(record.key);
    this.#awake.set(record.key, record);
    this.#note(record.key, [TABS], this.#kept.keepTabs(this.#role, record));
  }

  /** A session's storage has changed. */
  stored({ key, parts }: StorageChanged): void {
    if (key !== "" && !this.holds(key)) return;
    const names = parts.map(({ name }) => name);
    this.#note(key, names, this.#kept.keepParts(this.#role, key, parts));
  }

  /** The session as it can be restored, also of one at rest. */
  of(key: string): SessionRecord | undefined {
    return this.#awake.get(key) ?? this.#kept.tabsOf(this.#role, key)[0];
  }

  /**
   * Resolves when the worker has what the session had stored in the one before, or before its rest. `deaths`: of workers,
   * so far.
   */
  async restored(worker: Worker, { key, visits }: Pick<Session, "key" | "visits">, deaths: number) {
    const visit = visits.get(this.#role);
    const rested = visit?.rests && { record: this.#toWake(key), isUntold: visit.rests === "untold" };
    await this.#storage.give(worker, key, rested);
    if (!visit?.rests) return;
    visit.rests = undefined;
    // What died while it was at rest is nothing to it; what dies from now on is.
    visit.deathsKnown = Math.min(visit.deathsKnown, deaths);
    if (rested?.record) this.#awake.set(key, rested.record);
  }

  /**
   * Puts an idle session to rest: all that it has is kept, then its context is closed. Resolves to what it would lose, or
   * has lost, which is reported once it is used again. Rejects where it stays awake, as not all of it is kept.
   */
  async putToRest(
    worker: Worker | undefined,
    { key, sparing, isStill }: RestRequest,
  ): Promise<{ isSpared: boolean; losses: string[] }> {
    const { isSpared, losses } = worker ? await told(worker, key, sparing) : NOTHING_TO_TELL;
    if (isSpared || !isStill()) return { isSpared, losses };
    this.#keepForRest(key, losses);
    // From here on it rests, whatever the worker answers: one that is slow ends the context later.
    try {
      await worker?.link.ask("EndSession", { key }, ASK_TIMEOUT_MS);
    } catch (error) {
      this.#log.warn({ err: error, role: this.#role }, "a worker did not end a session that rests");
    }
    if (!isStill()) return { isSpared, losses };
    this.#awake.delete(key);
    this.#storage.rests(key);
    return { isSpared, losses };
  }

  /** All is in the file before its context goes. Throws where it is not. */
  #keepForRest(key: string, lostByRest: string[]): void {
    const awake = this.#awake.get(key);
    const record = awake && { ...awake, lostByRest };
    if (record && lostByRest.length > 0) this.#note(key, [TABS], this.#kept.keepTabs(this.#role, record));
    const unkept = this.#unkept.get(key)?.size ?? 0;
    if (unkept > 0) throw new Error(`${unkept} parts of the session could not be kept`);
    if (record) this.lostInput.rested(record);
  }

  /** A part that was not kept once is missing until it has changed again. */
  #note(key: string, names: readonly string[], isKept: boolean): void {
    const unkept = this.#unkept.get(key) ?? new Set();
    for (const name of names) {
      if (isKept) unkept.delete(name);
      else unkept.add(name);
    }
    if (unkept.size > 0) this.#unkept.set(key, unkept);
    else this.#unkept.delete(key);
  }

  /** The session is over: nothing is restored of it. */
  forget(key: string): void {
    this.#awake.delete(key);
    this.#unkept.delete(key);
    this.lostInput.forget(key);
    this.#storage.forget(key);
  }

  get #held(): SessionRecord[] {
    return [...this.#awake.values()].filter(({ key }) => this.holds(key));
  }

  #toWake(key: string): SessionRecord | undefined {
    const record = this.of(key);
    return record && { ...record, typed: this.lostInput.typedIn(key), lostByRest: [] };
  }
}

/** Resolves when the worker has told all that the session has, or what it would lose. */
async function told(worker: Worker, key: string, sparing: boolean): Promise<typeof NOTHING_TO_TELL> {
  using told = worker.told(key);
  const { isTold, losses } = await worker.link.ask("PrepareRest", { key, sparing }, ASK_TIMEOUT_MS);
  if (isTold) await told.heard;
  return { isSpared: sparing && losses.length > 0, losses };
}
