// Gives a new worker what sessions had stored in the one before: each session's when it is first used.
import type { Log } from "../log.ts";
import type { SessionKeeper } from "./supervision.ts";
import type { Worker } from "./worker.ts";

const ASK_TIMEOUT_MS = 5000;
/** What sessions of a role share is kept under this key. */
const SHARED = "";

/** What is still to be given to a role's worker of now. */
export class StorageReturn {
  readonly #role: string;
  readonly #kept: SessionKeeper;
  readonly #log: Log;
  readonly #waiting = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(role: string, kept: SessionKeeper, log: Log) {
    this.#role = role;
    this.#kept = kept;
    this.#log = log;
  }

  /** A worker starts with these sessions. */
  begin(keys: readonly string[]): void {
    this.#waiting.clear();
    this.#underWay.clear();
    for (const key of keys) this.#waiting.add(key);
    if (keys.length > 0) this.#waiting.add(SHARED);
    else this.#kept.forget(this.#role, SHARED);
  }

  /** Resolves when the worker has the session's storage; undefined where it needs nothing. Each is given once. */
  give(worker: Worker, key: string): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#underWay.size === 0) return undefined;
    return Promise.all([this.#given(worker, SHARED), this.#given(worker, key)]).then(() => undefined);
  }

  /** The session is over. */
  forget(key: string): void {
    this.#waiting.delete(key);
    this.#kept.forget(this.#role, key);
  }

  #given(worker: Worker, key: string): Promise<void> {
    if (!this.#waiting.delete(key)) return this.#underWay.get(key) ?? Promise.resolve();
    const giving = this.#send(worker, key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, giving);
    return giving;
  }

  async #send(worker: Worker, key: string): Promise<void> {
    const parts = this.#kept.partsOf(this.#role, key);
    if (parts.length === 0) return;
    try {
      await worker.link.ask("RestoreStorage", { key, parts }, ASK_TIMEOUT_MS);
    } catch (error) {
      // It stays kept: a worker that has died meanwhile is followed by another, which is given it anew.
      this.#log.warn({ err: error, role: this.#role }, "a session's storage could not be given back");
    }
  }
}
