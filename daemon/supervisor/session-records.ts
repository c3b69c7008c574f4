// Keeps the state of a role's sessions, as one worker reports it, for the next worker.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { SessionRecord, StorageChanged, StoragePart } from "../../proto/gen/troupe.ts";
import type { Log } from "../core/log.ts";
import type { AwakeSession } from "../sessions/hibernation-policy.ts";
import type { Session } from "../sessions/session.ts";
import type { SlotQueue } from "../sessions/slot-queue.ts";
import { nextVisit } from "../sessions/visit.ts";
import { tabsPart } from "../store/sealed-parts.ts";
import type { SessionKeeper } from "../store/session-store.ts";
import type { Worker, WorkerEnd } from "../worker-process/worker.ts";
import { DAEMON_ENDED, hasInput, type Losses } from "./losses.ts";
import { StorageRestore } from "./storage-restore.ts";
import type { PlannedReason } from "./supervision.ts";

const ASK_TIMEOUT_MS = 5000;

/** A request to hibernate a session. */
export interface RestRequest {
  key: string;
  /** True if the session must stay awake if it would lose something. */
  sparing: boolean;
  /** Returns false if the session has ended and another one has begun under its key. */
  isStill(): boolean;
}

/** The result of such a request: the session's losses, and the reason if it stays awake. */
export interface RestOutcome {
  losses: string[];
  stays?: AwakeSession["stays"];
  /** The reason that the store cannot be written, if that keeps the session awake. */
  problem?: string;
}

/** The role, as its sessions need it. */
export interface SessionsRole {
  readonly name: string;
  readonly slots: Pick<SlotQueue, "holds">;
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
  /** By key, the parts that could not be written when they changed. Each next write of the session repeats them. */
  readonly #unwritten = new Map<string, StoragePart[]>();
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
    const record = this.#kept.tabsOf(this.#role.name, key);
    if (!record) return;
    if (record.lostByRest.length > 0) this.#role.losses.rested(record);
    else this.#role.losses.inputGone([record], DAEMON_ENDED);
  }

  /** True if a session has typed text that it has not sent and would lose with the worker. */
  get hasInput(): boolean {
    return hasInput(this.#held);
  }

  /** Returns the sessions for a worker that starts. */
  begin(): SessionRecord[] {
    const held = this.#held;
    for (const key of this.#unwritten.keys()) this.#write(key, []);
    this.#unwritten.clear();
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
    this.#write(record.key, [tabsPart(record)]);
  }

  /** Stores the changed parts of a session's storage. */
  storageChanged({ key, parts }: StorageChanged): void {
    if (key === "" || this.#role.slots.holds(key)) this.#write(key, parts);
  }

  /** Resolves when the session's changes are in the store. A store that is away keeps them as soon as it can. */
  async whenKept(key: string): Promise<void> {
    await this.#isCommitted(key);
  }

  /** Returns the session as it can be restored, even if it hibernates. */
  of(key: string): SessionRecord | undefined {
    return this.#awake.get(key) ?? this.#kept.tabsOf(this.#role.name, key);
  }

  /** Resolves when the worker has the session's storage from the worker before it or from hibernation. */
  async restored(worker: Worker, { key, visits }: Pick<Session, "key" | "visits">): Promise<void> {
    const { name, losses } = this.#role;
    const { deaths } = losses;
    const visit = visits.get(name);
    const isUnreported = visit?.state === "HIBERNATED" && !visit.isReported;
    const rested = visit && visit.state !== "AWAKE" ? { record: this.#toWake(key), isUnreported } : undefined;
    await this.#storage.give(worker, key, rested);
    // Another call of the session may have woken it meanwhile.
    const now = visits.get(name);
    if (!rested || !now || now.state === "AWAKE") return;
    // Deaths during hibernation do not concern the session. Later deaths do.
    visits.set(name, nextVisit(now, "woken", deaths));
    if (rested.record) this.#awake.set(key, rested.record);
  }

  /**
   * Hibernates an idle session: stores all of its state, then closes its context. Resolves with the losses, which the
   * session's next call reports.
   */
  async putToRest({ key, sparing, isStill }: RestRequest): Promise<RestOutcome> {
    const { worker, current } = this.#role;
    // A starting worker already has the session, and an ending one has not reported all of it.
    if (current && !worker) throw new Error("the worker is not ready");
    const losses = worker ? await lossesOf(worker, key, sparing) : [];
    if (sparing && losses.length > 0) return { losses, stays: "would-lose" };
    if (!isStill()) return { losses };
    const awake = this.#awake.get(key);
    const record = awake && { ...awake, lostByRest: losses };
    const isTaken = this.#write(key, record && losses.length > 0 ? [tabsPart(record)] : []);
    if (!isTaken || !(await this.#isCommitted(key)))
      return { losses, stays: "unwritable", problem: this.#kept.problem ?? "" };
    if (!isStill()) return { losses };
    if (record) this.#role.losses.rested(record);
    // From here on the session hibernates, whatever the worker answers. A slow worker ends the context later.
    if (worker) await this.#endIn(worker, key);
    if (!isStill()) return { losses };
    this.#awake.delete(key);
    this.#storage.rests(key);
    return { losses };
  }

  /** Ends a session: the worker disposes of its state, and nothing of it is restored. */
  async end(key: string): Promise<void> {
    this.#awake.delete(key);
    this.#unwritten.delete(key);
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

  /** Returns false if the session's changes are not in the store in time. */
  async #isCommitted(key: string): Promise<boolean> {
    try {
      await this.#kept.committed(key, ASK_TIMEOUT_MS);
      return true;
    } catch (error) {
      if (isTroupeError(error)) return false;
      throw error;
    }
  }

  /** Writes the parts, and those of the session that could not be written before. Returns false if that fails. */
  #write(key: string, parts: readonly StoragePart[]): boolean {
    const all = new Map([...(this.#unwritten.get(key) ?? []), ...parts].map((part) => [part.name, part]));
    const latest = [...all.values()];
    const isWritten = latest.length === 0 || this.#kept.keepParts(this.#role.name, key, latest);
    if (isWritten) this.#unwritten.delete(key);
    else this.#unwritten.set(key, latest);
    return isWritten;
  }

  get #held(): SessionRecord[] {
    return [...this.#awake.values()].filter(({ key }) => this.#role.slots.holds(key));
  }

  #toWake(key: string): SessionRecord | undefined {
    const record = this.of(key);
    return record && { ...record, typed: this.#role.losses.typedIn(key), lostByRest: [] };
  }
}

/** Resolves with the session's losses, once the worker has reported all of its state. With `sparing`, losses come alone. */
async function lossesOf(worker: Worker, key: string, sparing: boolean): Promise<string[]> {
  using reported = worker.reported(key);
  const { isTold, losses } = await worker.link.ask("PrepareRest", { key, sparing }, ASK_TIMEOUT_MS);
  if (isTold) await reported.whole;
  return losses;
}
