// Identifies clients and holds their rate limits. A configuration that is read again takes effect here.
import { fail } from "../../proto/errors/catalogue.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Client } from "./client.ts";
import { type Asked, bearerIn, clientWith, identify, type Shown, tokenOf } from "./identify.ts";
import { type CheckedJwt, JwtCheck } from "./oidc/jwt-check.ts";
import { isJwt } from "./oidc/verify-jwt.ts";
import { Rates } from "./rate.ts";

/** The time between two checks of an open stream: tokens can expire. */
const LOOK_MS = 10_000;

/** Decides who may call. It follows the configuration's current tokens and issuer. */
export class Admission implements Disposable {
  readonly rates: Rates;
  readonly #looks = new Set<() => void>();
  #asked: Asked;
  #jwts: JwtCheck | undefined;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(asked: Asked, clock: Clock, log: Log) {
    this.#asked = asked;
    this.#clock = clock;
    this.#log = log;
    this.rates = new Rates(clock);
    this.#jwts = asked.oidc && new JwtCheck(asked.oidc, clock, log);
  }

  /** True if the configuration has tokens or an issuer of tokens. */
  get asksForTokens(): boolean {
    return this.#asked.tokens !== undefined || this.#asked.oidc !== undefined;
  }

  /** The configuration's issuer of tokens. */
  get oidc(): Asked["oidc"] {
    return this.#asked.oidc;
  }

  /** Warnings for the operator. */
  get warnings(): string[] {
    const fault = this.#jwts?.fault;
    return fault === undefined ? [] : [`oidc: no keys of ${this.oidc?.issuer}: ${fault}`];
  }

  /** Checks a JWT's signature, which takes time. Returns undefined if there is no JWT to be checked. */
  check({ door, authorization }: Pick<Shown, "door" | "authorization">): Promise<CheckedJwt> | undefined {
    const text = this.#jwts && door !== "socket" ? bearerIn(authorization) : undefined;
    if (text === undefined || !isJwt(text) || tokenOf(text, this.#asked.tokens)) return undefined;
    return this.#jwts?.check(text);
  }

  /** Returns the client. A JWT must have been checked before. Throws UNAUTHENTICATED. */
  identify(shown: Shown): Client {
    return { ...identify(shown, this.#asked, this.#clock.now()), door: shown.door };
  }

  /**
   * Returns an earlier caller's client as the configuration has it now. A JWT that has expired since still counts,
   * because its client has no way to show a newer one. Throws UNAUTHENTICATED if the credential no longer counts.
   */
  again({ credential, door }: Client): Client {
    if (!credential) throw fail("UNAUTHENTICATED", { reason: "the client has shown no credential" });
    const nowMs = this.#clock.now();
    const atMs = credential.kind === "jwt" ? Math.min(nowMs, credential.jwt.endsAtMs) : nowMs;
    return { ...clientWith(credential, this.#asked, atMs), credential, ...(door && { door }) };
  }

  /** Applies new tokens and another issuer. Sessions stay with their clients. */
  renew(tokens: Asked["tokens"], oidc?: Asked["oidc"]): void {
    if (oidc && oidc.issuer === this.oidc?.issuer) this.#jwts?.renew(oidc);
    else {
      this.#jwts?.[Symbol.dispose]();
      this.#jwts = oidc && new JwtCheck(oidc, this.#clock, this.#log);
    }
    this.#asked = { ...this.#asked, tokens, oidc };
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

  [Symbol.dispose](): void {
    this.#jwts?.[Symbol.dispose]();
  }
}
