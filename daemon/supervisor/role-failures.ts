// The failures of one role: those of its current worker, of earlier workers, and of earlier and other daemons.
import type { FailureLog, FailureRecorded } from "../../proto/gen/troupe.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Worker, WorkerEnd } from "../worker-process/worker.ts";
import { mergeFailures, NO_FAILURES, withIncident, withoutCurrent } from "./failure-history.ts";

const ASK_TIMEOUT_MS = 5000;

/** Keeps failures beyond the daemon's end. */
export interface FailureKeeper {
  /** Stores the current failures of a role. They replace those that this daemon stored before. */
  failed(role: string, failures: FailureLog): void;
  /** Returns the failures of a role that an earlier daemon left and that this one goes on with. */
  failuresOf(role: string): FailureLog | undefined;
  /** Returns the stored failures of a role in other daemons. None of them is current here. */
  failuresElsewhere(role: string): Promise<FailureLog>;
  /** Deletes the stored failures of a role in other daemons. Living ones may store theirs again. */
  clearElsewhere(role: string): Promise<void>;
}

/** The parts that a role's failures need. `worker` returns the worker that is ready. */
export interface FailureParts {
  role: string;
  worker: () => Worker | undefined;
  journal: FailureKeeper;
  clock: Clock;
  log: Log;
}

export class RoleFailures {
  readonly #parts: FailureParts;
  #history: FailureLog;

  constructor(parts: FailureParts) {
    this.#parts = parts;
    this.#history = withoutCurrent(parts.journal.failuresOf(parts.role) ?? NO_FAILURES);
  }

  add({ entry }: FailureRecorded): void {
    if (entry) this.#keep(mergeFailures(this.#history, entry));
  }

  /** Forgets the login failure, because the login works. */
  loginWorks(): void {
    if (this.#history.authLoadError) this.#keep({ ...this.#history, authLoadError: null });
  }

  /** Records the worker's end, and that its documents are gone. `end` says how it ended, if the end was not planned. */
  workerGone(end: WorkerEnd | undefined): void {
    this.#history = withoutCurrent(this.#history);
    if (end) this.#keep(withIncident(this.#history, end.kind, end.reason, this.#parts.clock.now()));
  }

  /** Returns the failures of all daemons. Rejects with STORE_UNAVAILABLE if those of the others cannot be read. */
  async read(): Promise<FailureLog> {
    const elsewhere = await this.#parts.journal.failuresElsewhere(this.#parts.role);
    return mergeFailures(elsewhere, await this.#readOwn());
  }

  /** Forgets the failures, also those that other daemons stored. */
  async forget(): Promise<void> {
    this.#keep(NO_FAILURES);
    await this.#parts.worker()?.link.ask("ForgetFailures", {}, ASK_TIMEOUT_MS);
    await this.#parts.journal.clearElsewhere(this.#parts.role);
  }

  /** If the worker does not answer, it returns the kept ones alone. */
  async #readOwn(): Promise<FailureLog> {
    const worker = this.#parts.worker();
    try {
      const failures = (await worker?.link.ask("ReadFailures", {}, ASK_TIMEOUT_MS))?.failures;
      return failures ? mergeFailures(this.#history, failures) : this.#history;
    } catch (error) {
      this.#parts.log.warn({ err: error, worker: worker?.pid }, "a worker did not report its failures");
      return this.#history;
    }
  }

  #keep(history: FailureLog): void {
    this.#history = history;
    this.#parts.journal.failed(this.#parts.role, history);
  }
}
