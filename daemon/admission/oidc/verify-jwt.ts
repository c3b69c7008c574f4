// Verifies a JWT: its size and form, its algorithm, its signature, and the claims that each one must have.
import type { JWTPayload, JWTVerifyResult } from "jose";
import type { TroupeError } from "../../../proto/errors/catalogue.ts";
import { fail } from "../../../proto/errors/catalogue.ts";
import { isIdToken } from "./id-token.ts";
import { type IssuerKeys, NoKeys } from "./issuer-keys.ts";
import { LEEWAY_S, type OidcSettings, unknownJwt, type VerifiedJwt } from "./verified-jwt.ts";

/** Signatures with a public key alone. With a shared secret, each daemon could make tokens of the issuer. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
/** Media types of access tokens: RFC 9068, and the general one. Other kinds of JWTs must not pass for one. */
const TYPES = new Set(["at+jwt", "jwt"]);
const LENGTH_MAX = 12_000;

/** Returns true if a bearer token has the form of a JWT. */
export function isJwt(bearer: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(bearer);
}

/** Resolves with the JWT's content. Rejects with UNAUTHENTICATED. */
export async function verifyJwt(
  token: string,
  oidc: OidcSettings,
  keys: Pick<IssuerKeys, "find">,
  nowMs: number,
): Promise<VerifiedJwt> {
  if (token.length > LENGTH_MAX) throw unknownJwt(`the token is longer than ${LENGTH_MAX} characters`, oidc);
  const { jwtVerify } = await import("jose/jwt/verify");
  let verified: JWTVerifyResult;
  try {
    verified = await jwtVerify(token, keys.find, {
      algorithms: ALGORITHMS,
      issuer: oidc.issuer,
      audience: oidc.audience,
      requiredClaims: ["sub", "exp"],
      clockTolerance: LEEWAY_S,
      currentDate: new Date(nowMs),
    });
  } catch (error) {
    throw refusal(error, oidc);
  }
  const { typ = "jwt" } = verified.protectedHeader;
  const type = String(typ)
    .toLowerCase()
    .replace(/^application\//, "");
  if (!TYPES.has(type)) throw unknownJwt("the token is a JWT of another kind than an access token", oidc);
  if (isIdToken(type, verified.payload))
    throw unknownJwt("the token is an ID token, and an access token is asked for", oidc);
  return contentOf(verified.payload, oidc);
}

function contentOf(claims: JWTPayload, oidc: OidcSettings): VerifiedJwt {
  const { iss = "", aud = [], sub, exp = 0 } = claims;
  if (typeof sub !== "string" || sub === "") throw unknownJwt("the token names no subject", oidc);
  return { issuer: iss, audiences: [aud].flat(), subject: sub, endsAtMs: exp * 1000, claims };
}

/** Turns an error of jose into ours. Its messages may quote the token. */
function refusal(error: unknown, oidc: OidcSettings): TroupeError {
  if (error instanceof NoKeys) return issuerDown(error, oidc);
  const { code, claim } = error as { code?: string; claim?: string };
  const words = code === "ERR_JWT_CLAIM_VALIDATION_FAILED" ? CLAIM_WORDS[claim ?? ""] : WORDS[code ?? ""];
  return unknownJwt(`the token ${words ?? "is no well-formed JWT"}`, oidc, error);
}

const WORDS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: "has expired",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "is not signed by its issuer",
  ERR_JWKS_NO_MATCHING_KEY: "is signed with a key that its issuer does not publish",
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: "does not name its key (kid), and its issuer has several",
  ERR_JOSE_ALG_NOT_ALLOWED: `is signed in another way than ${ALGORITHMS.join(", ")}`,
  ERR_JOSE_NOT_SUPPORTED: `is signed in another way than ${ALGORITHMS.join(", ")}`,
};

const CLAIM_WORDS: Readonly<Record<string, string>> = {
  iss: "is of another issuer",
  aud: "is meant for another audience, or for none",
  nbf: "is not valid yet",
  exp: "has no time at which it expires",
  sub: "names no subject",
};

function issuerDown({ message, retryAfterMs }: NoKeys, { issuer }: OidcSettings): TroupeError {
  return fail("UNAUTHENTICATED", {
    reason: `the token cannot be checked, because the issuer ${issuer} gives no keys: ${message}`,
    mend: "ask the operator to mend what the reason names, at the issuer or at oidc: in the daemon's configuration; troupe doctor checks it",
    retryAfterMs,
  });
}
