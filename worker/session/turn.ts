// Gives the calls of a session that touch its pages their turns: one at a time, in order.
import { within } from "../../proto/machine/within.ts";

/** A queue of turns. A call that ends early frees its place at once, even while it waits. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  /** Work that the present turn has begun and that must end before the next turn. */
  #held: Promise<void> | undefined;
  #taken = 0;

  /** Is true if a call has its turn, or waits for it. */
  get areTaken(): boolean {
    return this.#taken > 0;
  }

  /** Runs `work` when all calls before it have ended. Rejects with the signal's reason if that aborts first. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => ended);
    let over: Promise<void> | undefined;
    this.#taken++;
    try {
      await within({ signal }, before);
      signal.throwIfAborted();
      try {
        return await within({ signal }, work());
      } finally {
        over = this.#held;
        this.#held = undefined;
      }
    } finally {
      this.#taken--;
      if (over) void over.then(end);
      else end();
    }
  }

  /**
   * Prolongs the present turn until `work` ends, even if its call ends earlier. This is for work that must not be left
   * half done.
   */
  hold(work: Promise<unknown>): void {
    this.#held = Promise.allSettled([this.#held, work]).then(() => undefined);
  }
}
