// Counts by key, such as the calls of each session. A key whose count is zero takes no room.

export class KeyedCount {
  readonly #counts = new Map<string, number>();

  /** Returns the count of a key. */
  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Counts one more of the key until the result is disposed of. */
  add(key: string): Disposable {
    this.#counts.set(key, this.of(key) + 1);
    let isCounted = true;
    return {
      [Symbol.dispose]: () => {
        if (!isCounted) return;
        isCounted = false;
        const left = this.of(key) - 1;
        if (left > 0) this.#counts.set(key, left);
        else this.#counts.delete(key);
      },
    };
  }

  /** The keys whose count is not zero, with their counts. */
  [Symbol.iterator](): IterableIterator<[key: string, count: number]> {
    return this.#counts.entries();
  }
}
