// Counts work under way. A caller can wait until the count is zero.
import { within } from "../../proto/machine/within.ts";
import type { Clock } from "./clock.ts";

export class InFlightCounter {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Counts one piece of work until the caller calls the returned function. */
  begin(): () => void {
    this.#underWay++;
    return () => {
      if (--this.#underWay === 0) this.cutShort();
    };
  }

  /** Resolves when nothing is under way, or after `boundMs`. */
  async within(boundMs: number): Promise<void> {
    if (this.#underWay === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await within({ timeMs: boundMs, clock: this.#clock }, promise);
    this.#waiting.delete(resolve);
  }

  /** Ends all waits of {@link within} at once. */
  cutShort(): void {
    for (const wake of this.#waiting) wake();
  }
}
