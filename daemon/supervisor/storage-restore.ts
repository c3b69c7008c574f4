// Gives a worker what sessions had stored in the one before, or before their rest: each session's when it is first used.
import { fail } from "../../proto/errors/catalogue.ts";
import type { SessionRecord } from "../../proto/gen/troupe.ts";
import type { Log } from "../core/log.ts";
import type { Worker } from "../worker-process/worker.ts";
import type { SessionKeeper } from "./supervision.ts";

const ASK_TIMEOUT_MS = 5000;
/** What sessions of a role share is kept under this key. */
const SHARED = "";
/** How soon a session that could not be brought back is asked for again. */
const RETRY_AFTER_MS = 1000;

/** What a worker does not know of a session that was at rest. */
export interface Rested {
  record: SessionRecord | undefined;
  /** Its next reply tells that it was at rest. */
  isUntold: boolean;
}

/** What is still to be given to a role's worker of now. */
export class StorageRestore {
  readonly #role: string;
  readonly #kept: SessionKeeper;
  readonly #log: Log;
  /** Of the worker of now. */
  #waiting = new Set<string>();
  #underWay = new Map<string, Promise<void>>();

  constructor(role: string, kept: SessionKeeper, log: Log) {
    this.#role = role;
    this.#kept = kept;
    this.#log = log;
  }

  /** A worker starts with these sessions. */
  begin(keys: readonly string[]): void {
    this.#waiting = new Set([...keys, SHARED]);
    this.#underWay = new Map();
    if (keys.length === 0) this.#kept.forgetShared(this.#role);
  }

  /**
   * Resolves when the worker has the session's storage; undefined where it needs nothing. Each is given once. Rejects with
   * WORKER_UNAVAILABLE where it cannot be given: without it, the session would overwrite what is kept.
   */
  give(worker: Worker, key: string, rested?: Rested): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#underWay.size === 0 && !rested) return undefined;
    return Promise.all([this.#given(worker, SHARED), this.#given(worker, key, rested)]).then(() => undefined);
  }

  /** The session is put to rest: it is given back when it is used again. */
  rests(key: string): void {
    this.#waiting.delete(key);
  }

  /** The session is over. */
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
    const parts = this.#kept.partsOf(this.#role, key);
    if (parts.length === 0 && !rested) return;
    const session = rested?.record ?? null;
    try {
      await worker.link.ask(
        "RestoreStorage",
        { key, parts, session, rested: rested?.isUntold === true },
        ASK_TIMEOUT_MS,
      );
    } catch (error) {
      // It stays kept, and the next call gives it anew, to this worker or another.
      this.#log.warn({ err: error, role: this.#role }, "a session's storage could not be given back");
      const reason = "a session could not be brought back with what it had stored";
      throw fail("WORKER_UNAVAILABLE", { role: this.#role, reason, retryAfterMs: RETRY_AFTER_MS }, error);
    }
  }
}
