// What went wrong in one role: the log of the worker that runs, and what is kept of those before it and of daemons before.
import type { FailureLog, FailureRecorded } from "../../proto/gen/troupe.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Worker, WorkerEnd } from "../worker-process/worker.ts";
import { mergeFailures, NO_FAILURES, withIncident, withoutCurrent } from "./failure-history.ts";

const ASK_TIMEOUT_MS = 5000;

/** Where failures outlive the daemon. */
export interface FailureKeeper {
  failuresOf(role: string): FailureLog | undefined;
  failed(role: string, failures: FailureLog): void;
}

/** What a role's failures are kept with. `worker`: the one that runs and takes calls. */
export interface FailureParts {
  role: string;
  worker: () => Worker | undefined;
  journal: FailureKeeper;
  clock: Clock;
  log: Log;
}

/** A role's failures. */
export class RoleFailures {
  readonly #parts: FailureParts;
  #history: FailureLog;

  constructor(parts: FailureParts) {
    this.#parts = parts;
    this.#history = withoutCurrent(parts.journal.failuresOf(parts.role) ?? NO_FAILURES);
  }

  /** The worker told of one. */
  add({ entry }: FailureRecorded): void {
    if (entry) this.#keep(mergeFailures(this.#history, entry));
  }

  /** A new worker reads the login anew, and tells if that fails again. */
  workerStarts(): void {
    this.loginWorks();
  }

  /** What was wrong with the login is over. */
  loginWorks(): void {
    if (this.#history.authLoadError) this.#keep({ ...this.#history, authLoadError: null });
  }

  /** The worker is gone, and its documents with it. `end`: how, where nobody asked it to. */
  workerGone(end: WorkerEnd | undefined): void {
    this.#history = withoutCurrent(this.#history);
    if (end) this.#keep(withIncident(this.#history, end.kind, end.reason, this.#parts.clock.now()));
  }

  /** All of them; what is kept alone where the worker does not answer. */
  async read(): Promise<FailureLog> {
    const worker = this.#parts.worker();
    try {
      const failures = (await worker?.link.ask("ReadFailures", {}, ASK_TIMEOUT_MS))?.failures;
      return failures ? mergeFailures(this.#history, failures) : this.#history;
    } catch (error) {
      this.#parts.log.warn({ err: error, worker: worker?.pid }, "a worker did not tell its failures");
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
