// Recognizes addresses that a page asks again as soon as they have answered. Their servers hold the request open until
// they have news. Such a poll is no part of an action, but its answer may be.
import { keepNewest } from "../../proto/machine/newest.ts";

/** The page asks again in the task that takes the answer. */
const AT_ONCE_MS = 100;
const FAMILIES_MAX = 1_000;

/** The families of requests that are polls, as long as each answer brings the next request. */
export class Polls {
  /** When a request that may be a poll's was last answered. */
  readonly #answeredAtMs = new Map<string, number>();
  /** True for polls of a document that was left: the page may begin them again. */
  readonly #polls = new Map<string, boolean>();
  readonly #nowMs: () => number;

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  has(family: string): boolean {
    return this.#polls.has(family);
  }

  /**
   * Notes an answer. `isOwn`: an action under way had asked for it. An action may read one part after the other, which
   * is no poll.
   */
  answered(family: string, isOwn: boolean): void {
    if (isOwn && !this.#polls.has(family)) this.#answeredAtMs.delete(family);
    else keepNewest(this.#answeredAtMs, family, this.#nowMs(), FAMILIES_MAX);
  }

  /**
   * Returns true for a poll that goes on by itself. `isOpen`: returns true if another request of the family is under
   * way.
   */
  asked(family: string, isOpen: () => boolean): boolean {
    const answeredAtMs = this.#answeredAtMs.get(family) ?? Number.NEGATIVE_INFINITY;
    this.#answeredAtMs.delete(family);
    const goesOn = this.#nowMs() - answeredAtMs <= AT_ONCE_MS;
    if (goesOn) keepNewest(this.#polls, family, false, FAMILIES_MAX);
    else if (this.#polls.get(family) === true) this.#polls.set(family, false);
    else if (this.#polls.has(family) && !isOpen()) this.#polls.delete(family);
    return goesOn;
  }

  /** Notes that another document is shown. */
  committed(): void {
    this.#answeredAtMs.clear();
    for (const family of this.#polls.keys()) this.#polls.set(family, true);
  }
}
