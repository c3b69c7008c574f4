// Counts the calls of each session, and waits until none is under way.
import { KeyedCount } from "../core/keyed-count.ts";

/** The calls under way by the session's key. */
export class BusySessions {
  readonly #calls = new KeyedCount();
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();

  /** Counts a call until the result is disposed of. */
  enter(key: string): Disposable {
    const call = this.#calls.add(key);
    return {
      [Symbol.dispose]: () => {
        call[Symbol.dispose]();
        if (!this.has(key)) this.left(key);
      },
    };
  }

  /** Returns true if a call of the session is under way. */
  has(key: string): boolean {
    return this.#calls.of(key) > 0;
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
    if (this.has(key)) await this.next(key);
  }
}
