// Limits how often clients may call: each client with a rate has a token bucket that fills evenly.
import { fail } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";
import type { Client } from "./client.ts";

/** The calls left in a bucket at a time of the steady clock. */
export interface Bucket {
  left: number;
  atMs: number;
}

type Rate = Readonly<Record<keyof NonNullable<Client["rate"]>, number>>;

export interface Rated {
  name: string;
  rate?: Rate | undefined;
}

/** Takes one call from the bucket. Returns the bucket afterwards, with `waitMs` if it was empty. */
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

/** The number of buckets that are kept. Names come from certificates too, so they have no bound. */
const BUCKETS_MAX = 10_000;

export class Rates {
  readonly #buckets = new Map<string, Bucket>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a call. Returns the time until the next one if the bucket was empty. */
  waitMs({ name, rate }: Rated): number | undefined {
    if (!rate) return undefined;
    const { waitMs, ...bucket } = takeFrom(this.#buckets.get(name), rate, this.#clock.steady());
    keepNewest(this.#buckets, name, bucket, BUCKETS_MAX);
    return waitMs;
  }

  /** Counts a client's call. Throws BUSY with the time until the next one. */
  take(client: Rated): void {
    const { name, rate } = client;
    const waitMs = this.waitMs(client);
    if (!rate || waitMs === undefined) return;
    const limit = `${name} may make ${rate.count} calls in ${rate.perMs / 1000} s`;
    throw fail("BUSY", { limit, holders: [], own: "rate", retryAfterMs: waitMs });
  }
}
