// Admission to the daemon: who calls, and what is asked for now. Where the configuration is read again, it changes here.
import type { Clock } from "../core/clock.ts";
import type { Client } from "./client.ts";
import { type Asked, identify, type Shown } from "./identify.ts";
import { Rates } from "./rate.ts";

/** How often streams are asked whose they are: tokens end by themselves. */
const LOOK_MS = 10_000;

/** Who may come in. */
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

  /** Whether the configuration has tokens. */
  get asksForTokens(): boolean {
    return this.#asked.tokens !== undefined;
  }

  /** The client. Throws UNAUTHENTICATED. */
  identify(shown: Shown): Client {
    return identify(shown, this.#asked, this.#clock.now());
  }

  /** From now on these tokens count; sessions stay their holders'. */
  renew(tokens: Asked["tokens"]): void {
    this.#asked = { ...this.#asked, tokens };
    for (const look of this.#looks) look();
  }

  /**
   * Calls `allows` again and again, and at once where tokens change: it asks who the client is now, and what it may do.
   * `lost` hears of the first error that it throws. Until what is returned is called.
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
