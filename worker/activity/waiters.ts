// Wakes the waiters for an event that happens again and again.

/** A waiter that gives up leaves nothing behind. */
export class Waiters {
  readonly #waiting = new Set<() => void>();

  /** The number of waiters. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when it happens next, or when the signal aborts. */
  next(signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => {
      this.#waiting.delete(end);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    this.#waiting.add(end);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    return promise;
  }

  /** Wakes all waiters. */
  wake(): void {
    for (const end of [...this.#waiting]) end();
  }
}
