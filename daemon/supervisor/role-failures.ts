// What went wrong in one role: the log of the worker that runs, and what is kept of those before it.
import type { FailureLog, FailureRecorded } from "../../proto/gen/troupe.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { mergeFailures, NO_FAILURES, withIncident, withoutCurrent } from "./failure-history.ts";
import type { Worker, WorkerEnd } from "./worker.ts";

const ASK_TIMEOUT_MS = 5000;

/** A role's failures. */
export class RoleFailures {
  readonly #clock: Clock;
  readonly #log: Log;
  #history: FailureLog = NO_FAILURES;

  readonly #worker: () => Worker | undefined;

  /** `worker`: the one that runs and takes calls. */
  constructor(worker: () => Worker | undefined, clock: Clock, log: Log) {
    this.#worker = worker;
    this.#clock = clock;
    this.#log = log;
  }

  /** The worker told of one. */
  add({ entry }: FailureRecorded): void {
    if (entry) this.#history = mergeFailures(this.#history, entry);
  }

  /** A new worker reads the login anew, and tells if that fails again. */
  workerStarts(): void {
    this.#history = { ...this.#history, authLoadError: null };
  }

  /** The worker is gone, and its documents with it. `end`: how, where nobody asked it to. */
  workerGone(end: WorkerEnd | undefined): void {
    this.#history = withoutCurrent(this.#history);
    if (end) this.#history = withIncident(this.#history, end.kind, end.reason, this.#clock.now());
  }

  /** All of them; what is kept alone where the worker does not answer. */
  async read(): Promise<FailureLog> {
    const worker = this.#worker();
    try {
      const failures = (await worker?.link.ask("ReadFailures", {}, ASK_TIMEOUT_MS))?.failures;
      return failures ? mergeFailures(this.#history, failures) : this.#history;
    } catch (error) {
      this.#log.warn({ err: error, worker: worker?.pid }, "a worker did not tell its failures");
      return this.#history;
    }
  }

  async forget(): Promise<void> {
    this.#history = NO_FAILURES;
    await this.#worker()?.link.ask("ForgetFailures", {}, ASK_TIMEOUT_MS);
  }
}
