// Gives a worker the storage that sessions had in the worker before it or before hibernation. Each session gets its
// storage at its first use.
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { Log } from "../core/log.ts";
import type { SessionKeeper } from "../store/session-store.ts";
import type { Worker } from "../worker-process/worker.ts";

const ASK_TIMEOUT_MS = 5000;
/** The key of the storage that a role's sessions share. */
const SHARED = "";
/** The time after which a client may ask again for a session that could not be restored. */
const RETRY_AFTER_MS = 1000;

/** The data of a hibernated session that the worker lacks. */
export interface Rested {
  record: SessionRecord | undefined;
  /** True if the session's next reply must report the hibernation. */
  isUnreported: boolean;
}

/** The storage that the role's current worker still lacks. */
export class StorageRestore {
  readonly #role: string;
  readonly #kept: SessionKeeper;
  readonly #log: Log;
  /** The keys that the current worker still waits for. */
  #waiting = new Set<string>();
  #underWay = new Map<string, Promise<void>>();

  constructor(role: string, kept: SessionKeeper, log: Log) {
    this.#role = role;
    this.#kept = kept;
    this.#log = log;
  }

  /** Begins with a new worker and these sessions. */
  begin(keys: readonly string[]): void {
    this.#waiting = new Set([...keys, SHARED]);
    this.#underWay = new Map();
    if (keys.length === 0) this.#kept.forgetShared(this.#role);
  }

  /**
   * Resolves when the worker has the session's storage. Returns undefined if the session needs nothing. Each storage is
   * given once. Rejects with WORKER_UNAVAILABLE if it cannot be given, because the session would overwrite the stored
   * state.
   */
  give(worker: Worker, key: string, rested?: Rested): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#underWay.size === 0 && !rested) return undefined;
    return Promise.all([this.#given(worker, SHARED), this.#given(worker, key, rested)]).then(() => undefined);
  }

  /** Notes that the session hibernates. Its storage is given at its next use. */
  rests(key: string): void {
    this.#waiting.delete(key);
  }

  /** Forgets a session that is over. */
  forget(key: string): void {
    this.#waiting.delete(key);
    this.#kept.forget(this.#role, key);
  }

  #given(worker: Worker, key: string, rested?: Rested): Promise<void> {
    const [waiting, allUnderWay] = [this.#waiting, this.#underWay];
    const underWay = allUnderWay.get(key);
    if (underWay) return underWay;
    if (!waiting.has(key) && !rested) return Promise.resolve();
    const giving = this.#send(worker, key, rested)
      .then(() => void waiting.delete(key))
      .finally(() => allUnderWay.delete(key));
    allUnderWay.set(key, giving);
    return giving;
  }

  async #send(worker: Worker, key: string, rested: Rested | undefined): Promise<void> {
    const session = rested?.record ?? null;
    try {
      const parts = await this.#kept.partsOf(this.#role, key);
      if (parts.length === 0 && !rested) return;
      await worker.link.ask(
        "RestoreStorage",
        { key, parts, session, rested: rested?.isUnreported === true },
        ASK_TIMEOUT_MS,
      );
    } catch (error) {
      if (isTroupeError(error)) throw error;
      // The storage stays stored. The next call gives it again, to this worker or another.
      this.#log.warn({ err: error, role: this.#role }, "a session's storage could not be given back");
      const reason = "a session could not be brought back with what it had stored";
      throw fail("WORKER_UNAVAILABLE", { role: this.#role, reason, retryAfterMs: RETRY_AFTER_MS }, error);
    }
  }
}
