// Counts the calls of each session, and waits until none is under way.

/** The calls under way by the session's key. */
export class BusySessions {
  readonly #calls = new Map<string, number>();
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();

  /** Counts a call until the result is disposed of. */
  enter(key: string): Disposable {
    this.#calls.set(key, (this.#calls.get(key) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#calls.get(key) ?? 1) - 1;
        if (left > 0) return void this.#calls.set(key, left);
        this.#calls.delete(key);
        this.left(key);
      },
    };
  }

  /** Returns true if a call of the session is under way. */
  has(key: string): boolean {
    return this.#calls.has(key);
  }

  /** Ends the waits for a session that is not here any more. */
  left(key: string): void {
    this.#waiting.get(key)?.resolve();
    this.#waiting.delete(key);
  }

  /** Resolves when a call of the session has ended and none is under way. */
  async next(key: string): Promise<void> {
    const waiting = this.#waiting.get(key) ?? Promise.withResolvers<void>();
    this.#waiting.set(key, waiting);
    await waiting.promise;
  }

  /** Resolves when no call of the session is under way. */
  async calm(key: string): Promise<void> {
    if (this.#calls.has(key)) await this.next(key);
  }
}
