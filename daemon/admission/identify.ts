// Identifies the client from the door, the token and the certificate. Errors never repeat what the client sent.
import { createHash, timingSafeEqual } from "node:crypto";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { type Client, type Credential, type Door, OWNER, type Token } from "./client.ts";
import { jwtClient } from "./jwt-client.ts";
import type { CheckedJwt } from "./oidc/jwt-check.ts";
import { type OidcSettings, unknownJwt } from "./oidc/verified-jwt.ts";

/** The credentials that came with a call. */
export interface Shown {
  door: Door;
  /** The header, as the client sent it. */
  authorization: string | undefined;
  /** The certificate's name, if the door asked for a certificate and it is valid. */
  certificate: string | undefined;
  /** The outcome of {@link Admission.check}, which looks at the JWT's signature; undefined if the token is no JWT. */
  checked?: CheckedJwt | undefined;
}

/** The credentials that the daemon requires. */
export interface Asked {
  /** The configuration's tokens; undefined if it has none. */
  tokens: readonly Token[] | undefined;
  /** The configuration's issuer; undefined if it has none. */
  oidc?: OidcSettings | undefined;
  /** The daemon's own token. HTTP requires it if the configuration has neither tokens nor an issuer. */
  ownToken: string;
  /**
   * True if the TCP door opened with tokens, an issuer or client certificates required. A later configuration does not
   * change it.
   */
  asksOnTcp: boolean;
}

const NAME_LENGTH_MAX = 120;

/** Returns the client. Throws UNAUTHENTICATED. */
export function identify(shown: Shown, asked: Asked, nowMs: number): Client {
  const credential = credentialOf(shown, asked);
  return { ...clientWith(credential, asked, nowMs), credential };
}

/** Returns the client of a credential by the present configuration. Throws UNAUTHENTICATED if it no longer counts. */
export function clientWith(credential: Credential, asked: Asked, nowMs: number): Client {
  const { tokens, oidc } = asked;
  if (credential.kind === "socket") return OWNER;
  if (credential.kind === "token") return tokenHolder(credential.sha256, asked, nowMs);
  if (credential.kind === "jwt") {
    if (!oidc) throw unknown("the configuration has no issuer of tokens any more", FROM_OPERATOR);
    return jwtClient(credential.jwt, oidc, nowMs);
  }
  if (tokens || oidc) throw unknown("the configuration asks for tokens now", FROM_OPERATOR);
  if (credential.kind === "certificate") return certified(credential.name);
  if (credential.kind === "machine" && asked.asksOnTcp)
    throw unknown("the configuration has no tokens any more", FROM_RESTART);
  return OWNER;
}

/**
 * Returns the end of a token in milliseconds since the epoch. A day is valid to its last moment in UTC. Returns NaN if
 * the text is no date.
 */
export function endOfToken(notAfter: string): number {
  const isDay = !notAfter.includes("T");
  const atMs = Date.parse(isDay ? `${notAfter}T23:59:59.999Z` : notAfter);
  // JavaScript turns the 30th of February into a day in March.
  const isReal = !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(notAfter.slice(0, 10));
  return isReal ? atMs : Number.NaN;
}

/** Returns the token of the header; undefined if the header is missing or of another form. */
export function bearerIn(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
}

/** Returns the configured token of that text. */
export function tokenOf(text: string, tokens: readonly Token[] = []): Token | undefined {
  const given = digest(text);
  // All tokens are compared, so that the duration reveals nothing.
  const [token] = tokens.filter(({ sha256 }) => isEqual(Buffer.from(sha256, "hex"), given));
  return token;
}

const FROM_OPERATOR =
  "Ask the operator for a token, and set TROUPE_TOKEN or TROUPE_TOKEN_FILE for this client, or send the header Authorization: Bearer TOKEN";
const FROM_FOLDER =
  "Send the header Authorization: Bearer TOKEN. TOKEN is what the file `token` in the daemon's state folder holds; troupe status names the folder, and its owner alone can read it";

const NO_TOKEN = "the token is none that is configured";
const FROM_RESTART =
  "Ask the operator to restart the daemon: how clients are asked is decided when it starts";

function credentialOf(shown: Shown, asked: Asked): Credential {
  if (shown.door === "socket") return { kind: "socket" };
  if (asked.tokens || asked.oidc) return bearer(shown, asked);
  if (shown.certificate !== undefined) return { kind: "certificate", name: shown.certificate };
  if (shown.door === "tcp") return { kind: "machine" };
  const text = bearerOf(shown.authorization, (reason) => unknown(reason, FROM_FOLDER));
  if (!isEqual(digest(text), digest(asked.ownToken))) throw unknown("the token is another one", FROM_FOLDER);
  return { kind: "own-token" };
}

function bearer({ authorization, checked }: Shown, { tokens, oidc }: Asked): Credential {
  const text = bearerOf(authorization, (reason) =>
    oidc ? unknownJwt(reason, oidc) : unknown(reason, FROM_OPERATOR),
  );
  const token = tokenOf(text, tokens);
  if (token) return { kind: "token", sha256: token.sha256 };
  if (!oidc) throw unknown(NO_TOKEN, FROM_OPERATOR);
  if (!checked) throw unknownJwt("the token is none that is configured, and no JWT", oidc);
  if ("error" in checked) throw checked.error;
  return { kind: "jwt", jwt: checked.jwt };
}

function tokenHolder(sha256: string, { tokens }: Asked, nowMs: number): Client {
  const token = tokens?.find((each) => each.sha256.toLowerCase() === sha256.toLowerCase());
  if (!token) throw unknown(NO_TOKEN, FROM_OPERATOR);
  const { name, roles, profiles, control, sessions, rate, notAfter } = token;
  // The comparison is written so that an invalid date counts as expired.
  if (notAfter !== undefined && !(nowMs <= endOfToken(notAfter)))
    throw unknown(`the token ended on ${notAfter}`, FROM_OPERATOR);
  return { name, roles, profiles, control, sessions, rate };
}

/** A certificate names a client and says nothing of rights. The client has every role, and sees only its own data. */
function certified(name: string): Client {
  const safe = encodeURIComponent(name.toWellFormed());
  if (!safe || safe.length > NAME_LENGTH_MAX) {
    const mend = "Ask the operator for a client certificate with a common name of at most 120 characters";
    throw unknown(safe ? "its certificate's name is too long" : "its certificate names nobody", mend);
  }
  // No token's name has a colon.
  return { name: `cert:${safe}`, control: "none" };
}

function bearerOf(authorization: string | undefined, refused: (reason: string) => TroupeError): string {
  if (authorization === undefined) throw refused("the call carries no token");
  const text = bearerIn(authorization);
  if (text === undefined) throw refused("the authorization header is not of the form Bearer TOKEN");
  return text;
}

/** Digests have the same length for every token, so they compare in equal time. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function unknown(reason: string, mend: string): TroupeError {
  return fail("UNAUTHENTICATED", { reason, mend });
}
