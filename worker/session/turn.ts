// One at a time, in order: the turns of a session's calls that touch its pages.

/** A queue of turns. A call that ends early, in its turn or while it waits, frees its place at once. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Runs `work` when all before it have ended; rejects with the signal's reason when that aborts first. */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => ended);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([before, aborted]);
      signal.throwIfAborted();
      return await Promise.race([work(), aborted]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      end();
    }
  }
}
