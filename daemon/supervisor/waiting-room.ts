// Callers that wait until a role's worker takes calls.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import type { Clock } from "../core/clock.ts";
import type { Worker } from "../worker-process/worker.ts";
import type { RoleMachineState } from "./role-machine.ts";

/** The wait in milliseconds before a caller tries a starting role again. */
export const RETRY_AFTER_START_MS = 1000;

/** The longest waits of a caller, in milliseconds. */
export interface Patience {
  /** The wait altogether. While a worker starts, its caller can only wait. */
  callMs: number;
  /** The wait while no worker starts, because the role backs off. */
  queueMs: number;
}

interface Waiter {
  resolve(worker: Worker): void;
  reject(error: TroupeError): void;
  giveUp(): void;
  /** True if the caller has waited longer than `queueMs`. */
  overdue: boolean;
}

export class WaitingRoom {
  /** The time by the steady clock since callers need a worker. */
  neededSinceMs: number | undefined;
  readonly #clock: Clock;
  /** Returns true if a worker starts now, or starts once the current one has ended. */
  readonly #starts: () => boolean;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock, starts: () => boolean) {
    this.#clock = clock;
    this.#starts = starts;
  }

  /** Notes that a caller needs a worker, even if it does not wait. */
  need(): void {
    this.neededSinceMs ??= this.#clock.steady();
  }

  /** Waits for the worker. Rejects with the error of `late` after the time, or with the abort reason of `signal`. */
  async wait({ callMs, queueMs }: Patience, late: () => TroupeError, signal?: AbortSignal): Promise<Worker> {
    const { promise, resolve, reject } = Promise.withResolvers<Worker>();
    const giveUp = () => reject(late());
    const waiter: Waiter = { resolve, reject, giveUp, overdue: false };
    const queueOver = this.#clock.after(queueMs, () => {
      waiter.overdue = true;
      if (!this.#starts()) giveUp();
    });
    this.#waiters.add(waiter);
    try {
      return await within({ signal, timeMs: callMs, late, clock: this.#clock }, promise);
    } finally {
      queueOver.cancel();
      this.#waiters.delete(waiter);
    }
  }

  /** Rejects the callers beyond `queueMs`, because no worker starts any more. */
  startsNoMore(): void {
    for (const { overdue, giveUp } of this.#waiters) if (overdue) giveUp();
  }

  admit(worker: Worker): void {
    this.neededSinceMs = undefined;
    for (const waiter of this.#waiters) waiter.resolve(worker);
  }

  reject(error: TroupeError): void {
    this.neededSinceMs = undefined;
    for (const waiter of this.#waiters) waiter.reject(error);
  }
}

/** Returns the error for the role's state, with the time of the next try. `nowMs` is by the steady clock. */
export function unavailable(role: string, stand: RoleMachineState, nowMs: number): TroupeError {
  const reason = "reason" in stand && stand.reason ? stand.reason : "its worker is being started";
  if (stand.state === "FAILED")
    return fail("WORKER_UNAVAILABLE", { role, reason, ...(stand.mend && { mend: stand.mend }) });
  const dueMs = stand.state === "BACKING_OFF" ? stand.retryAtMs - nowMs : 0;
  return fail("WORKER_UNAVAILABLE", { role, reason, retryAfterMs: Math.max(RETRY_AFTER_START_MS, dueMs) });
}
