// Distinguishes ID tokens from access tokens. Both are JWTs of the same issuer, and may have the same audience. An ID
// token says which user has logged in to a program, and gives no right to call another one.

/** The hashes of OpenID Connect (3.3.2.11) that bind an ID token to what was issued with it. */
const HASHES = ["at_hash", "c_hash", "s_hash"];

/**
 * Returns true for what is certainly an ID token. `type` is the media type of the JWT's header, in lower case. Some
 * issuers name the kind in a claim: `token_use` (Amazon Cognito) or `typ` (Keycloak).
 */
export function isIdToken(type: string, claims: Readonly<Record<string, unknown>>): boolean {
  // RFC 9068: an access token, whatever its claims are.
  if (type === "at+jwt") return false;
  if (claims.token_use === "id" || claims.typ === "ID") return true;
  // Keycloak can add the nonce to access tokens, and says that they are for bearers.
  return HASHES.some((name) => name in claims) || ("nonce" in claims && claims.typ !== "Bearer");
}
