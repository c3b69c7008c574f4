// Queues the starts of workers: each start takes the machine's cores, and a role that is ready serves meanwhile.
import type { Clock } from "../core/clock.ts";

/** A role with a worker to start. */
export interface Starting {
  /** The time by the steady clock since clients need the role; undefined for a start ahead of need. */
  readonly neededSinceMs: number | undefined;
}

/** After this time a start no longer holds up the others. */
export const START_HOLDS_MS_MAX = 1500;

interface Entry {
  role: Starting;
  admit(): void;
}

export class StartQueue {
  readonly #atOnce: number;
  readonly #clock: Clock;
  readonly #waiting = new Set<Entry>();
  readonly #underWay = new Set<Entry>();

  /** `atOnce` is the number of workers that may start at the same time. */
  constructor(atOnce: number, clock: Clock) {
    this.#atOnce = atOnce;
    this.#clock = clock;
  }

  /**
   * Resolves when the role's worker may start. The caller disposes of the result when the worker has started or failed.
   */
  async enter(role: Starting): Promise<Disposable> {
    const { promise, resolve: admit } = Promise.withResolvers<void>();
    const entry = { role, admit };
    this.#waiting.add(entry);
    this.#admitNext();
    await promise;
    const leave = () => {
      if (this.#underWay.delete(entry)) this.#admitNext();
    };
    const overdue = this.#clock.after(START_HOLDS_MS_MAX, leave);
    return {
      [Symbol.dispose]() {
        overdue.cancel();
        leave();
      },
    };
  }

  #admitNext(): void {
    const next = firstOf([...this.#waiting]);
    if (!next || this.#underWay.size >= this.#atOnce) return;
    this.#waiting.delete(next);
    this.#underWay.add(next);
    next.admit();
  }
}

/** Returns the role that clients have needed for longest, else the one that has waited for longest. */
function firstOf(waiting: readonly Entry[]): Entry | undefined {
  const sinceMs = ({ role: { neededSinceMs = Number.MAX_VALUE } }: Entry) => neededSinceMs;
  return waiting.toSorted((one, other) => sinceMs(one) - sinceMs(other))[0];
}
