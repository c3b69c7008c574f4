// Callers that wait until a role's worker takes calls.
import type { TroupeError } from "../../proto/errors.ts";
import type { Clock } from "../clock.ts";
import type { Worker } from "./worker.ts";

interface Waiter {
  resolve(worker: Worker): void;
  reject(error: TroupeError): void;
}

/** The callers of one role. */
export class WaitingRoom {
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits. Rejects with what `late` tells when the time is over, or with what `signal` was aborted for. */
  wait(waitMs: number, late: () => TroupeError, signal?: AbortSignal): Promise<Worker> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    const waiter: Waiter = { resolve, reject };
    const aborted = () => reject(signal?.reason);
    const alarm = this.#clock.after(waitMs, () => reject(late()));
    this.#waiters.add(waiter);
    signal?.addEventListener("abort", aborted, { once: true });
    return promise.finally(() => {
      alarm.cancel();
      this.#waiters.delete(waiter);
      signal?.removeEventListener("abort", aborted);
    });
  }

  admit(worker: Worker): void {
    for (const waiter of this.#waiters) waiter.resolve(worker);
  }

  refuse(error: TroupeError): void {
    for (const waiter of this.#waiters) waiter.reject(error);
  }
}
