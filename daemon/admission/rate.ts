// How often clients may call: a bucket for each that has a rate, filled evenly.
import { fail } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";
import type { Client } from "./client.ts";

/** What is left in a bucket, and when that was so, by the steady clock. */
export interface Bucket {
  left: number;
  atMs: number;
}

/** So many calls in a time. */
type Rate = Readonly<Record<keyof NonNullable<Client["rate"]>, number>>;

/** A client, as far as its rate goes. */
export interface Rated {
  name: string;
  rate?: Rate | undefined;
}

/** Takes one: the bucket afterwards, and where there was none, how long it takes until there is one again. */
export function takeFrom(
  before: Bucket | undefined,
  { count, perMs }: Rate,
  nowMs: number,
): Bucket & { waitMs?: number } {
  const passedMs = before ? nowMs - before.atMs : 0;
  const left = Math.min(count, before ? before.left + (passedMs * count) / perMs : count);
  if (left >= 1) return { left: left - 1, atMs: nowMs };
  return { left, atMs: nowMs, waitMs: count > 0 ? Math.ceil(((1 - left) * perMs) / count) : perMs };
}

/** Buckets that are kept: names come from certificates too. */
const BUCKETS_MAX = 10_000;

/** The buckets of all clients. */
export class Rates {
  readonly #buckets = new Map<string, Bucket>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call. Throws BUSY with the time of the next one. */
  take({ name, rate }: Rated): void {
    if (!rate) return;
    const { waitMs, ...bucket } = takeFrom(this.#buckets.get(name), rate, this.#clock.steady());
    keepNewest(this.#buckets, name, bucket, BUCKETS_MAX);
    if (waitMs === undefined) return;
    const limit = `${name} may make ${rate.count} calls in ${rate.perMs / 1000} s`;
    throw fail("BUSY", { limit, holders: [], own: "rate", retryAfterMs: waitMs });
  }
}
