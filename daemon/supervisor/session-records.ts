// Keeps the state of a role's sessions, as one worker reports it, for the next worker.
import type { SessionRecord, StorageChanged } from "../../proto/gen/troupe.ts";
import type { Log } from "../core/log.ts";
import type { SessionSlots } from "../sessions/session-slots.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Worker, WorkerEnd } from "../worker-process/worker.ts";
import { hasInput, type Losses } from "./losses.ts";
import { StorageRestore } from "./storage-restore.ts";
import type { PlannedReason, SessionKeeper } from "./supervision.ts";

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

/** The role, as its sessions need it. */
export interface SessionsRole {
  readonly name: string;
  readonly slots: Pick<SessionSlots, "holds">;
  readonly losses: Losses;
  /** The worker, if the role is ready. */
  readonly worker: Worker | undefined;
  /** The worker's process, ready or not. */
  readonly current: Worker | undefined;
}

/** The sessions of one role. */
export class SessionRecords {
  readonly #role: SessionsRole;
  readonly #kept: SessionKeeper;
  /** By key, only the sessions that are awake. */
  readonly #awake = new Map<string, SessionRecord>();
  readonly #storage: StorageRestore;
  /** By key, the parts that could not be stored when they changed. The stored version of them is older. */
  readonly #unkept = new Map<string, Set<string>>();
  /** Sessions that ended before the worker that restores them was ready. */
  readonly #over = new Set<string>();
  readonly #log: Log;

  constructor(role: SessionsRole, { kept, log }: { kept: SessionKeeper; log: Log }) {
    this.#role = role;
    this.#kept = kept;
    this.#storage = new StorageRestore(role.name, kept, log);
    this.#log = log;
  }

  /** Takes over a session of the daemon before this one. */
  returned(key: string): void {
    for (const record of this.#kept.tabsOf(this.#role.name, key)) {
      if (record.lostByRest.length > 0) this.#role.losses.rested(record);
      else this.#role.losses.inputGone([record], { reason: "the daemon was started again" });
    }
  }

  /** True if a session has typed text that it has not sent and would lose with the worker. */
  get hasInput(): boolean {
    return hasInput(this.#held);
  }

  /** Returns the sessions for a worker that starts. */
  begin(): SessionRecord[] {
    const held = this.#held;
    this.#unkept.clear();
    this.#over.clear();
    this.#storage.begin(held.map(({ key }) => key));
    return held.map((record) => ({ ...record, typed: this.#role.losses.typedIn(record.key) }));
  }

  /** Ends the sessions in the worker that ended while it started. */
  async workerReady(worker: Worker): Promise<void> {
    const keys = [...this.#over];
    this.#over.clear();
    await Promise.all(keys.map((key) => this.#endIn(worker, key)));
  }

  /** Records a planned end of the worker, or its death. */
  workerGone(why: PlannedReason | WorkerEnd, wasReady: boolean): void {
    this.#role.losses.inputGone(this.#awake.values(), why);
    if (typeof why !== "string") this.#role.losses.workerDied(why, wasReady);
  }

  /** Stores the session's tabs as the worker reports them. */
  changed(record: SessionRecord): void {
    if (!this.#role.slots.holds(record.key)) return;
    this.#role.losses.opened(record.key);
    this.#awake.set(record.key, record);
    this.#note(record.key, [TABS], this.#kept.keepTabs(this.#role.name, record));
  }

  /** Stores the changed parts of a session's storage. */
  storageChanged({ key, parts }: StorageChanged): void {
    if (key !== "" && !this.#role.slots.holds(key)) return;
    const names = parts.map(({ name }) => name);
    this.#note(key, names, this.#kept.keepParts(this.#role.name, key, parts));
  }

  /** Returns the session as it can be restored, even if it hibernates. */
  of(key: string): SessionRecord | undefined {
    return this.#awake.get(key) ?? this.#kept.tabsOf(this.#role.name, key)[0];
  }

  /** Resolves when the worker has the session's storage from the worker before it or from hibernation. */
  async restored(worker: Worker, { key, visits }: Pick<Session, "key" | "visits">): Promise<void> {
    const visit = visits.get(this.#role.name);
    const { deaths } = this.#role.losses;
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
  async putToRest({ key, sparing, isStill }: RestRequest): Promise<{ isSpared: boolean; losses: string[] }> {
    const { worker, current } = this.#role;
    // A starting worker already has the session, and an ending one has not reported all of it.
    if (current && !worker) throw new Error("the worker is not ready");
    const { isSpared, losses } = worker ? await reported(worker, key, sparing) : NOTHING_TO_TELL;
    if (isSpared || !isStill()) return { isSpared, losses };
    this.#keepForRest(key, losses);
    // From here on the session hibernates, whatever the worker answers. A slow worker ends the context later.
    if (worker) await this.#endIn(worker, key);
    if (!isStill()) return { isSpared, losses };
    this.#awake.delete(key);
    this.#storage.rests(key);
    return { isSpared, losses };
  }

  /** Ends a session: the worker disposes of its state, and nothing of it is restored. */
  async end(key: string): Promise<void> {
    this.#awake.delete(key);
    this.#unkept.delete(key);
    this.#role.losses.forget(key);
    this.#storage.forget(key);
    const { worker, current } = this.#role;
    if (current && !worker) this.#over.add(key);
    await worker?.link.ask("EndSession", { key }, ASK_TIMEOUT_MS);
  }

  /** A worker that does not answer is slow or dies. It ends the session in either case. */
  async #endIn(worker: Worker, key: string): Promise<void> {
    try {
      await worker.link.ask("EndSession", { key }, ASK_TIMEOUT_MS);
    } catch (error) {
      this.#log.warn({ err: error, role: this.#role.name }, "a worker did not end a session");
    }
  }

  /** Stores all state before the context closes. Throws if part of it could not be stored. */
  #keepForRest(key: string, lostByRest: string[]): void {
    const awake = this.#awake.get(key);
    const record = awake && { ...awake, lostByRest };
    if (record && lostByRest.length > 0) this.#note(key, [TABS], this.#kept.keepTabs(this.#role.name, record));
    const unkept = this.#unkept.get(key)?.size ?? 0;
    if (unkept > 0) throw new Error(`${unkept} parts of the session could not be kept`);
    if (record) this.#role.losses.rested(record);
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

  get #held(): SessionRecord[] {
    return [...this.#awake.values()].filter(({ key }) => this.#role.slots.holds(key));
  }

  #toWake(key: string): SessionRecord | undefined {
    const record = this.of(key);
    return record && { ...record, typed: this.#role.losses.typedIn(key), lostByRest: [] };
  }
}

/** Resolves when the worker has reported all of the session's state, or the state that it would lose. */
async function reported(worker: Worker, key: string, sparing: boolean): Promise<typeof NOTHING_TO_TELL> {
  using told = worker.told(key);
  const { isTold, losses } = await worker.link.ask("PrepareRest", { key, sparing }, ASK_TIMEOUT_MS);
  if (isTold) await told.heard;
  return { isSpared: sparing && losses.length > 0, losses };
}
