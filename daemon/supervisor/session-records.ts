// Keeps the state of a role's sessions, as one worker reports it, for the next worker.
import type { SessionRecord, StorageChanged } from "../../proto/gen/troupe.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Worker } from "../worker-process/worker.ts";
import { hasInput, LostInput } from "./lost-input.ts";
import { StorageRestore } from "./storage-restore.ts";
import type { SessionKeeper } from "./supervision.ts";

const ASK_TIMEOUT_MS = 5000;
/** The name of the part with a session's tabs, beside the parts that its worker names. */
const TABS = "tabs";
const NOTHING_TO_TELL = { isSpared: false, losses: [] as string[] };

/** A request to hibernate a session. */
export interface RestRequest {
  key: string;
  /** True if the session must stay awake if it would lose something. */
  sparing: boolean;
  /** Returns false if the session has ended and another one has begun under its key. */
  isStill(): boolean;
}

/** The sessions of one role. */
export class SessionRecords {
  /** Input that sessions had typed when their worker ended or they were hibernated. */
  readonly lostInput = new LostInput();
  /** Returns true for a session that is awake. The owner of the slots sets it. */
  holds: (key: string) => boolean = () => true;
  readonly #role: string;
  readonly #kept: SessionKeeper;
  /** By key, only the sessions that are awake. */
  readonly #awake = new Map<string, SessionRecord>();
  readonly #storage: StorageRestore;
  /** By key, the parts that could not be stored when they changed. The stored version of them is older. */
  readonly #unkept = new Map<string, Set<string>>();
  readonly #log: Log;

  constructor(role: string, kept: SessionKeeper, log: Log) {
    this.#role = role;
    this.#kept = kept;
    this.#storage = new StorageRestore(role, kept, log);
    this.#log = log;
  }

  /** Takes over a session of the daemon before this one. */
  returned(key: string): void {
    for (const record of this.#kept.tabsOf(this.#role, key)) {
      if (record.lostByRest.length > 0) this.lostInput.rested(record);
      else this.lostInput.workerGone([record], { reason: "the daemon was started again" });
    }
  }

  /** True if a session has typed text that it has not sent and would lose with the worker. */
  get hasInput(): boolean {
    return hasInput(this.#held);
  }

  /** The latest reports of the sessions that are awake. */
  get awake(): Iterable<SessionRecord> {
    return this.#awake.values();
  }

  /** Returns the sessions for a worker that starts. */
  begin(): SessionRecord[] {
    const held = this.#held;
    this.#unkept.clear();
    this.#storage.begin(held.map(({ key }) => key));
    return held.map((record) => ({ ...record, typed: this.lostInput.typedIn(record.key) }));
  }

  /** Stores the session's tabs as the worker reports them. */
  told(record: SessionRecord): void {
    if (!this.holds(record.key)) return;
    this.lostInput.opened(record.key);
    this.#awake.set(record.key, record);
    this.#note(record.key, [TABS], this.#kept.keepTabs(this.#role, record));
  }

  /** Stores the changed parts of a session's storage. */
  stored({ key, parts }: StorageChanged): void {
    if (key !== "" && !this.holds(key)) return;
    const names = parts.map(({ name }) => name);
    this.#note(key, names, this.#kept.keepParts(this.#role, key, parts));
  }

  /** Returns the session as it can be restored, even if it hibernates. */
  of(key: string): SessionRecord | undefined {
    return this.#awake.get(key) ?? this.#kept.tabsOf(this.#role, key)[0];
  }

  /**
   * Resolves when the worker has the session's storage from the worker before it or from hibernation. `deaths` is the
   * number of workers that have died so far.
   */
  async restored(worker: Worker, { key, visits }: Pick<Session, "key" | "visits">, deaths: number) {
    const visit = visits.get(this.#role);
    const rested = visit?.rests && { record: this.#toWake(key), isUntold: visit.rests === "untold" };
    await this.#storage.give(worker, key, rested);
    if (!visit?.rests) return;
    visit.rests = undefined;
    // Deaths during hibernation do not concern the session. Later deaths do.
    visit.deathsKnown = Math.min(visit.deathsKnown, deaths);
    if (rested?.record) this.#awake.set(key, rested.record);
  }

  /**
   * Hibernates an idle session: stores all of its state, then closes its context. Resolves with the losses, which the
   * session's next call reports. Rejects if the session stays awake because part of its state could not be stored.
   */
  async putToRest(
    worker: Worker | undefined,
    { key, sparing, isStill }: RestRequest,
  ): Promise<{ isSpared: boolean; losses: string[] }> {
    const { isSpared, losses } = worker ? await told(worker, key, sparing) : NOTHING_TO_TELL;
    if (isSpared || !isStill()) return { isSpared, losses };
    this.#keepForRest(key, losses);
    // From here on the session hibernates, whatever the worker answers. A slow worker ends the context later.
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

  /** Stores all state before the context closes. Throws if part of it could not be stored. */
  #keepForRest(key: string, lostByRest: string[]): void {
    const awake = this.#awake.get(key);
    const record = awake && { ...awake, lostByRest };
    if (record && lostByRest.length > 0) this.#note(key, [TABS], this.#kept.keepTabs(this.#role, record));
    const unkept = this.#unkept.get(key)?.size ?? 0;
    if (unkept > 0) throw new Error(`${unkept} parts of the session could not be kept`);
    if (record) this.lostInput.rested(record);
  }

  /** A part that could not be stored stays missing until it changes again. */
  #note(key: string, names: readonly string[], isKept: boolean): void {
    const unkept = this.#unkept.get(key) ?? new Set();
    for (const name of names) {
      if (isKept) unkept.delete(name);
      else unkept.add(name);
    }
    if (unkept.size > 0) this.#unkept.set(key, unkept);
    else this.#unkept.delete(key);
  }

  /** Forgets a session that is over. Nothing of it is restored. */
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

/** Resolves when the worker has reported all of the session's state, or the state that it would lose. */
async function told(worker: Worker, key: string, sparing: boolean): Promise<typeof NOTHING_TO_TELL> {
  using told = worker.told(key);
  const { isTold, losses } = await worker.link.ask("PrepareRest", { key, sparing }, ASK_TIMEOUT_MS);
  if (isTold) await told.heard;
  return { isSpared: sparing && losses.length > 0, losses };
}
