// Keeps the issuer's keys. They are renewed in time, and go on while the issuer is down.
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from "jose";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { fetchKeySet, IssuerFault } from "./issuer-documents.ts";

type FindKey = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>;

/** The age at which keys are fetched again, while the known ones are used. */
const FRESH_MS = 10 * 60_000;
/** The age at which keys are no longer used. An issuer may withdraw a key, and must be heard once a day. */
const KNOWN_MS_MAX = 24 * 3_600_000;
/** The shortest time between two fetches. Tokens with made-up keys must not make the daemon ask more often. */
const COOLDOWN_MS = { good: 30_000, failed: 5_000 };

/** The issuer was asked and gave no keys. `retryAfterMs`: the time until it is asked again. */
export class NoKeys extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

export class IssuerKeys implements Disposable {
  readonly #issuer: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closed = new AbortController();
  #known: { find: FindKey; atMs: number } | undefined;
  #asked: { atMs: number; fault?: string } | undefined;
  #asking: Promise<void> | undefined;

  constructor(issuer: string, clock: Clock, log: Log) {
    this.#issuer = issuer;
    this.#clock = clock;
    this.#log = log;
  }

  /** The reason that the issuer gave no keys when it was asked last. */
  get fault(): string | undefined {
    return this.#asked?.fault;
  }

  /** Resolves with the key for a JWT's header. Rejects with NoKeys, or with an error of jose if no key fits. */
  readonly find: FindKey = async (header, token) => {
    const known = await this.#current();
    try {
      return await known(header, token);
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_JWKS_NO_MATCHING_KEY") throw error;
      // The issuer may have begun to use a new key.
      await this.renew();
      const renewed = this.#known?.find;
      if (renewed !== undefined && renewed !== known) return renewed(header, token);
      this.#throwIfFailed();
      throw error;
    }
  };

  /** Asks the issuer, unless it was asked a moment ago. Rejects never. */
  renew(): Promise<void> {
    if (this.#cooldownMs() > 0) return Promise.resolve();
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  [Symbol.dispose](): void {
    this.#closed.abort();
  }

  async #current(): Promise<FindKey> {
    const ageMs = this.#clock.steady() - (this.#known?.atMs ?? Number.NEGATIVE_INFINITY);
    const renewed = ageMs > FRESH_MS ? this.renew() : undefined;
    if (ageMs > KNOWN_MS_MAX) {
      await renewed;
      this.#throwIfFailed();
    }
    if (this.#known) return this.#known.find;
    throw new NoKeys("it was not asked", COOLDOWN_MS.failed);
  }

  #throwIfFailed(): void {
    if (this.fault !== undefined) throw new NoKeys(this.fault, Math.max(1, this.#cooldownMs()));
  }

  /** The time until the issuer may be asked again. */
  #cooldownMs(): number {
    if (!this.#asked) return 0;
    const { atMs, fault } = this.#asked;
    return atMs + (fault === undefined ? COOLDOWN_MS.good : COOLDOWN_MS.failed) - this.#clock.steady();
  }

  async #ask(): Promise<void> {
    try {
      const keys = await fetchKeySet(this.#issuer, this.#closed.signal);
      const { createLocalJWKSet } = await import("jose/jwks/local");
      this.#known = { find: createLocalJWKSet(keys), atMs: this.#clock.steady() };
      this.#noteAsked(undefined);
    } catch (error) {
      this.#noteAsked(error instanceof IssuerFault ? error.message : "its keys are not well formed");
    }
  }

  #noteAsked(fault: string | undefined): void {
    if (fault !== undefined && fault !== this.fault && !this.#closed.signal.aborted)
      this.#log.warn({ issuer: this.#issuer, fault }, "the issuer's keys cannot be had");
    this.#asked = { atMs: this.#clock.steady(), ...(fault !== undefined && { fault }) };
  }
}
