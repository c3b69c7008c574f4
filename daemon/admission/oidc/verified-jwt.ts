// Describes a verified JWT, and makes the error of one that is not accepted.
import { fail, type TroupeError } from "../../../proto/errors/catalogue.ts";
import type { Configuration } from "../../config-schema/definition.ts";

/** The issuer and the meaning of its claims, as the configuration has them. */
export type OidcSettings = NonNullable<Configuration["oidc"]>;

/** A JWT whose signature and claims were verified. */
export interface VerifiedJwt {
  issuer: string;
  audiences: readonly string[];
  subject: string;
  /** The end in milliseconds since the epoch. */
  endsAtMs: number;
  claims: object;
}

/** Clocks of issuers differ from ours by this much at most. */
export const LEEWAY_S = 10;

/** Makes the error of a JWT that is not accepted. It never repeats what the client sent. */
export function unknownJwt(reason: string, { issuer, audience }: OidcSettings, cause?: unknown): TroupeError {
  const mend = `Get a new token from ${issuer} for the audience ${audience.join(" or ")}, and send it as the header Authorization: Bearer TOKEN (TROUPE_TOKEN for Troupe's own clients); if that is refused too, ask the operator to compare oidc: in the daemon's configuration with the issuer's`;
  return fail("UNAUTHENTICATED", { reason, mend }, cause);
}
