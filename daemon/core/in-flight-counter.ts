// Counts what is under way, and tells when nothing is.
import type { Clock } from "./clock.ts";

/** A count that can be waited for to come to nothing. */
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

  /** Something is under way until what is returned is called. */
  begin(): () => void {
    this.#underWay++;
    return () => {
      if (--this.#underWay === 0) this.cutShort();
    };
  }

  /** Resolves when nothing is under way, or the time is over. */
  async within(boundMs: number): Promise<void> {
    if (this.#underWay === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const alarm = this.#clock.after(boundMs, resolve);
    this.#waiting.add(resolve);
    await promise;
    alarm.cancel();
    this.#waiting.delete(resolve);
  }

  /** Whoever waits waits no longer. */
  cutShort(): void {
    for (const wake of this.#waiting) wake();
  }
}
