// Workers start one after the other: each start takes the machine's cores, and a role that is back serves meanwhile.
import type { Clock } from "../core/clock.ts";

/** A role that has a worker to start. */
export interface Starting {
  /** Since when clients need it, by the steady clock; undefined for a role that starts ahead of need. */
  readonly neededSinceMs: number | undefined;
}

/** A start that takes longer holds the others up no more. */
export const START_HOLDS_MS_MAX = 1500;

interface Entry {
  role: Starting;
  admit(): void;
}

/** The starts of all roles. */
export class StartQueue {
  readonly #atOnce: number;
  readonly #clock: Clock;
  readonly #waiting = new Set<Entry>();
  readonly #underWay = new Set<Entry>();

  /** `atOnce`: how many workers may start side by side. */
  constructor(atOnce: number, clock: Clock) {
    this.#atOnce = atOnce;
    this.#clock = clock;
  }

  /** Resolves when the role's worker may start. What is returned is disposed of when it has started, or failed to. */
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

/** The role that clients have needed for longest, else the one that has waited for longest. */
function firstOf(waiting: readonly Entry[]): Entry | undefined {
  const sinceMs = ({ role: { neededSinceMs = Number.MAX_VALUE } }: Entry) => neededSinceMs;
  return waiting.toSorted((one, other) => sinceMs(one) - sinceMs(other))[0];
}
