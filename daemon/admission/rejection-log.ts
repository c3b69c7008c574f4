// Logs calls of unidentified callers. The number of lines is bounded, however many calls there are.
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

const LINES_MAX = 10;
const EACH_MS = 60_000;

/** Logs rejected callers, at most ten lines a minute. */
export class RejectionLog {
  readonly #clock: Clock;
  readonly #log: Log;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #told = 0;
  #untold = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Logs one rejection, or counts it for the next line. */
  tell(what: { tool?: string; requestId: string; door?: string }): void {
    const now = this.#clock.steady();
    if (now - this.#sinceMs >= EACH_MS) {
      this.#sinceMs = now;
      this.#told = 0;
    }
    if (this.#told >= LINES_MAX) {
      this.#untold++;
      return;
    }
    this.#told++;
    const line = { ...what, outcome: "UNAUTHENTICATED", ...(this.#untold > 0 && { untold: this.#untold }) };
    this.#untold = 0;
    this.#log.warn(line, "refused: nobody known");
  }
}
