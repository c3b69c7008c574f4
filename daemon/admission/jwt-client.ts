// Makes the client of a verified JWT. Errors never repeat what the client sent.
import { claimValues } from "./claim-values.ts";
import type { Client } from "./client.ts";
import { grantedRights } from "./granted-rights.ts";
import { LEEWAY_S, type OidcSettings, unknownJwt, type VerifiedJwt } from "./oidc/verified-jwt.ts";

const SUBJECT_LENGTH_MAX = 200;

/** Returns the client by the present configuration, which may have changed since. Throws UNAUTHENTICATED. */
export function jwtClient(jwt: VerifiedJwt, oidc: OidcSettings, nowMs: number): Client {
  if (jwt.issuer !== oidc.issuer) throw unknownJwt("the token is of another issuer", oidc);
  if (!oidc.audience.some((each) => jwt.audiences.includes(each)))
    throw unknownJwt("the token is meant for another audience", oidc);
  if (nowMs >= jwt.endsAtMs + LEEWAY_S * 1000) throw unknownJwt("the token has expired", oidc);
  const values = claimValues(jwt.claims, oidc.roles);
  if (!values)
    throw unknownJwt(`the token's claim ${oidc.roles} is neither a text nor a list of texts`, oidc);
  return { name: nameOf(jwt, oidc), ...grantedRights(values, oidc.grants) };
}

/** A subject is unique within its issuer only. No token's name has a colon, and no name has a slash. */
function nameOf({ subject, issuer }: VerifiedJwt, oidc: OidcSettings): string {
  const safe = encodeURIComponent(subject.toWellFormed());
  if (!safe || safe.length > SUBJECT_LENGTH_MAX)
    throw unknownJwt(safe ? "the token's subject is too long" : "the token names no subject", oidc);
  return `oidc:${safe}@${issuer.replace(/^https?:\/\//, "").replaceAll("/", "%2F")}`;
}
