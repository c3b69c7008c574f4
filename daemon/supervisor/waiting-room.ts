// Callers that wait until a role's worker takes calls.
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import type { Clock } from "../core/clock.ts";
import type { Worker } from "../worker-process/worker.ts";

/** How long a caller waits, in milliseconds. */
export interface Patience {
  /** Altogether: while a worker starts, who came for it has nothing better to do than to wait. */
  callMs: number;
  /** As long as none starts: the role backs off. */
  queueMs: number;
}

interface Waiter {
  resolve(worker: Worker): void;
  reject(error: TroupeError): void;
  giveUp(): void;
  /** Waits longer than where no worker starts. */
  overdue: boolean;
}

/** The callers of one role. */
export class WaitingRoom {
  readonly #clock: Clock;
  /** Whether a worker starts at the moment, or as soon as the one before has ended. */
  readonly #starts: () => boolean;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock, starts: () => boolean) {
    this.#clock = clock;
    this.#starts = starts;
  }

  /** Waits. Rejects with what `late` tells when the time is over, or with what `signal` was aborted for. */
  wait({ callMs, queueMs }: Patience, late: () => TroupeError, signal?: AbortSignal): Promise<Worker> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    const giveUp = () => reject(late());
    const waiter: Waiter = { resolve, reject, giveUp, overdue: false };
    const aborted = () => reject(signal?.reason);
    const callOver = this.#clock.after(callMs, giveUp);
    const queueOver = this.#clock.after(queueMs, () => {
      waiter.overdue = true;
      if (!this.#starts()) giveUp();
    });
    this.#waiters.add(waiter);
    signal?.addEventListener("abort", aborted, { once: true });
    return promise.finally(() => {
      callOver.cancel();
      queueOver.cancel();
      this.#waiters.delete(waiter);
      signal?.removeEventListener("abort", aborted);
    });
  }

  /** No worker starts any more: who waits longer than is allowed without one gives up. */
  startsNoMore(): void {
    for (const { overdue, giveUp } of this.#waiters) if (overdue) giveUp();
  }

  admit(worker: Worker): void {
    for (const waiter of this.#waiters) waiter.resolve(worker);
  }

  refuse(error: TroupeError): void {
    for (const waiter of this.#waiters) waiter.reject(error);
  }
}
