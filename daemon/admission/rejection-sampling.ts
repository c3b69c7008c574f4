// Which of the calls that are refused for their client's rate are told: who goes on must not push others out of the history.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";
import { type Bucket, type Rated, takeFrom } from "./rate.ts";

/** Of a session's in a row so many: by the second one the first was not heeded. */
const IN_A_ROW = 2;
/** Of all sessions of a client so many for each call of its rate: it may name as many sessions as it likes. */
const FOR_EACH_CALL = 4;
/** Rows and clients that are remembered. */
const REMEMBERED_MAX = 10_000;

/** Decides it for each. */
export class RejectionSampling {
  /** By the session's key, whether or not there is such a session. */
  readonly #inARow = new Map<string, number>();
  /** What is left to be told, by the client's name. */
  readonly #left = new Map<string, Bucket>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A call of the session was not refused: its row is over. */
  letThrough(key: string): void {
    this.#inARow.delete(key);
  }

  /** Whether this one is told. */
  isTold({ name, rate }: Rated, key: string): boolean {
    const inARow = (this.#inARow.get(key) ?? 0) + 1;
    keepNewest(this.#inARow, key, inARow, REMEMBERED_MAX);
    if (!rate || inARow > IN_A_ROW) return false;
    const told = { count: rate.count * FOR_EACH_CALL, perMs: rate.perMs };
    const { waitMs, ...bucket } = takeFrom(this.#left.get(name), told, this.#clock.steady());
    keepNewest(this.#left, name, bucket, REMEMBERED_MAX);
    return waitMs === undefined;
  }
}
