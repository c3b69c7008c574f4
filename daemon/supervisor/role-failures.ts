// The failures of one role: those of its current worker, of earlier workers and of earlier daemons.
import type { FailureLog, FailureRecorded } from "../../proto/gen/troupe.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Worker, WorkerEnd } from "../worker-process/worker.ts";
import { mergeFailures, NO_FAILURES, withIncident, withoutCurrent } from "./failure-history.ts";

const ASK_TIMEOUT_MS = 5000;

/** Keeps failures beyond the daemon's end. */
export interface FailureKeeper {
  failuresOf(role: string): FailureLog | undefined;
  failed(role: string, failures: FailureLog): void;
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

  /** Returns all failures. If the worker does not answer, it returns the kept ones alone. */
  async read(): Promise<FailureLog> {
    const worker = this.#parts.worker();
    try {
      const failures = (await worker?.link.ask("ReadFailures", {}, ASK_TIMEOUT_MS))?.failures;
      return failures ? mergeFailures(this.#history, failures) : this.#history;
    } catch (error) {
      this.#parts.log.warn({ err: error, worker: worker?.pid }, "a worker did not report its failures");
      return this.#history;
    }
  }

  async forget(): Promise<void> {
    this.#keep(NO_FAILURES);
    await this.#parts.worker()?.link.ask("ForgetFailures", {}, ASK_TIMEOUT_MS);
  }

  #keep(history: FailureLog): void {
    this.#history = history;
    this.#parts.journal.failed(this.#parts.role, history);
  }
}
