// Decides which rate-limited calls the journal records. A caller that goes on must not push other calls out of the
// history.
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";
import { type Bucket, type Rated, takeFrom } from "./rate.ts";

/** The rejections in a row that are recorded for a session. The second one shows that the client ignored the first. */
const IN_A_ROW = 2;
/**
 * The rejections that are recorded for all sessions of a client, for each call of its rate. A client may name any
 * number of sessions.
 */
const FOR_EACH_CALL = 4;
/** The number of sessions and clients that are remembered. */
const REMEMBERED_MAX = 10_000;

/** Decides for each rejection if it is recorded. */
export class RejectionSampling {
  /** Rejections in a row by the session's key, even if no such session exists. */
  readonly #inARow = new Map<string, number>();
  /** Rejections that may still be recorded, by the client's name. */
  readonly #left = new Map<string, Bucket>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the session's row of rejections, because a call of it was admitted. */
  letThrough(key: string): void {
    this.#inARow.delete(key);
  }

  /** Returns true if this rejection is recorded. */
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
