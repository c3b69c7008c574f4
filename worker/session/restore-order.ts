// Limits how many tabs of a dead worker are restored at once. If all came together, all would be late.
import { availableParallelism } from "node:os";

/** A page that is being opened keeps about two cores at work. */
const BESIDE_MAX = Math.max(1, Math.floor(availableParallelism() / 2));
/** A tab that takes longer, such as one with a hanging page, no longer delays the others. */
const PLACE_MS_MAX = 2_000;

/** The queue for the tabs of all sessions of a role: first come, first served. */
export class RestoreOrder {
  readonly #waiting: (() => void)[] = [];
  readonly #placeMs: number;
  #places: number;

  constructor({ beside = BESIDE_MAX, placeMs = PLACE_MS_MAX } = {}) {
    this.#places = beside;
    this.#placeMs = placeMs;
  }

  /** Does the work when it is its turn. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    await this.#place();
    const free = this.#freeOnce();
    const timer = setTimeout(free, this.#placeMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      free();
    }
  }

  async #place(): Promise<void> {
    if (this.#places > 0) this.#places--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Returns a function that passes the place on once, to the tab that has waited longest. */
  #freeOnce(): () => void {
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#places++;
    };
  }
}
