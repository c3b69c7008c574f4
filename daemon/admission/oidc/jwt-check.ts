// Checks the JWTs that come with calls against the issuer's keys. Its settings follow the configuration.
import { isTroupeError, type TroupeError } from "../../../proto/errors/catalogue.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import type { OidcSettings, VerifiedJwt } from "./verified-jwt.ts";
import { verifyJwt } from "./verify-jwt.ts";

/** The outcome of a check. A door reports its error when it identifies the client. */
export type CheckedJwt = { jwt: VerifiedJwt } | { error: TroupeError };

export class JwtCheck implements Disposable {
  #oidc: OidcSettings;
  readonly #keys: IssuerKeys;
  readonly #clock: Clock;

  constructor(oidc: OidcSettings, clock: Clock, log: Log) {
    this.#oidc = oidc;
    this.#clock = clock;
    this.#keys = new IssuerKeys(oidc.issuer, clock, log);
    // The first call need not wait, and the operator hears of an issuer that is down.
    void this.#keys.renew();
  }

  /** The reason that the issuer gives no keys; undefined if it does. */
  get fault(): string | undefined {
    return this.#keys.fault;
  }

  /** Applies other settings of the same issuer. Its known keys stay, because it may be down now. */
  renew(oidc: OidcSettings): void {
    this.#oidc = oidc;
  }

  async check(token: string): Promise<CheckedJwt> {
    try {
      return { jwt: await verifyJwt(token, this.#oidc, this.#keys, this.#clock.now()) };
    } catch (error) {
      if (!isTroupeError(error)) throw error;
      return { error };
    }
  }

  [Symbol.dispose](): void {
    this.#keys[Symbol.dispose]();
  }
}
