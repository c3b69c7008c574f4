// Does pieces of work one after the other, such as pictures of a tab: each would show the page in the other's masks.

export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work after all that came before it. `during` ends the wait with the caller, and the work is not done. */
  async run<T>(during: (before: Promise<unknown>) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    try {
      await during(before);
      return await work();
    } finally {
      resolve();
    }
  }
}
