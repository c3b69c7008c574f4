// Admission to the daemon: who calls, and what is asked for now. Where the configuration is read again, it changes here.
import type { Clock } from "../clock.ts";
import type { Client } from "./client.ts";
import { type Asked, identify, type Shown } from "./identify.ts";
import { Rates } from "./rate.ts";

/** Who may come in. */
export class Admission {
  readonly rates: Rates;
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
  }
}
