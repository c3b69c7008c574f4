// Identifies clients and holds their rate limits. A configuration that is read again takes effect here.
import type { Clock } from "../core/clock.ts";
import type { Client } from "./client.ts";
import { type Asked, identify, type Shown } from "./identify.ts";
import { Rates } from "./rate.ts";

/** The time between two checks of an open stream: tokens can expire. */
const LOOK_MS = 10_000;

/** Decides who may call. It follows the configuration's current tokens. */
export class Admission {
  readonly rates: Rates;
  readonly #looks = new Set<() => void>();
  #asked: Asked;
  readonly #clock: Clock;

  constructor(asked: Asked, clock: Clock) {
    this.#asked = asked;
    this.#clock = clock;
    this.rates = new Rates(clock);
  }

  /** True if the configuration has tokens. */
  get asksForTokens(): boolean {
    return this.#asked.tokens !== undefined;
  }

  /** Returns the client. Throws UNAUTHENTICATED. */
  identify(shown: Shown): Client {
    return { ...identify(shown, this.#asked, this.#clock.now()), door: shown.door };
  }

  /** Applies new tokens. Sessions stay with their clients. */
  renew(tokens: Asked["tokens"]): void {
    this.#asked = { ...this.#asked, tokens };
    for (const look of this.#looks) look();
  }

  /**
   * Calls `allows` at intervals, and at once when tokens change. `allows` throws if the client may not go on. `lost`
   * receives the first error. The watch ends when the caller calls the returned function.
   */
  watchOver(allows: () => void, lost: (error: unknown) => void): () => void {
    const look = () => {
      try {
        allows();
      } catch (error) {
        stop();
        lost(error);
      }
    };
    const again = setInterval(look, LOOK_MS).unref();
    const stop = () => {
      clearInterval(again);
      this.#looks.delete(look);
    };
    this.#looks.add(look);
    return stop;
  }
}
