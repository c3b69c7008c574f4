// Does pieces of work one after the other, such as pictures of a tab: each would show the page in the other's masks.
import { within } from "../../proto/machine/within.ts";

/** Chrome may never answer for a page whose process has died. */
const HELD_MS_MAX = 5_000;

export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();
  /** Steps that the present work has begun and cannot call off. */
  #held: Promise<unknown> | undefined;

  /** Does the work after all that came before it. `during` ends the wait with the caller, and the work is not done. */
  async run<T>(during: (before: Promise<unknown>) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    let held: Promise<unknown> | undefined;
    try {
      await during(before);
      try {
        return await work();
      } finally {
        held = this.#held;
        this.#held = undefined;
      }
    } finally {
      if (held) void within({ timeMs: HELD_MS_MAX }, held).then(() => resolve());
      else resolve();
    }
  }

  /** Keeps the next work waiting until this has ended, even if the present work is given up before. */
  hold<T>(begun: Promise<T>): Promise<T> {
    this.#held = Promise.allSettled([this.#held, begun]);
    return begun;
  }
}
