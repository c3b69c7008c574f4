// Those who wait for the next of something that happens again and again.

/** Whoever gives up leaves nothing behind. */
export class Waiters {
  readonly #waiting = new Set<() => void>();

  /** How many wait. */
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

  /** It has happened. */
  tell(): void {
    for (const end of [...this.#waiting]) end();
  }
}
