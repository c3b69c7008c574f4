// One at a time, in order: the turns of a session's calls that touch its pages.

/** A queue of turns. A call that ends early, in its turn or while it waits, frees its place at once. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  /** What the turn of now has begun and must be over before the next. */
  #held: Promise<void> | undefined;
  #taken = 0;

  /** Whether a call has its turn, or waits for it. */
  get areTaken(): boolean {
    return this.#taken > 0;
  }

  /** Runs `work` when all before it have ended; rejects with the signal's reason when that aborts first. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => ended);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    let over: Promise<void> | undefined;
    this.#taken++;
    try {
      await Promise.race([before, aborted]);
      signal.throwIfAborted();
      try {
        return await Promise.race([work(), aborted]);
      } finally {
        over = this.#held;
        this.#held = undefined;
      }
    } finally {
      this.#taken--;
      signal.removeEventListener("abort", onAbort);
      if (over) void over.then(end);
      else end();
    }
  }

  /** The turn of now is not over before `work` is, however its call ends: what cannot be left half done. */
  hold(work: Promise<unknown>): void {
    this.#held = Promise.allSettled([this.#held, work]).then(() => undefined);
  }
}
