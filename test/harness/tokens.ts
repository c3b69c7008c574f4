// Tokens as a daemon's configuration has them.
import { createHash } from "node:crypto";

/** Returns the digest of a token, for `tokens[].sha256`. */
export function sha256(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Returns the configured token of a client. `more`: its other keys, such as `control`. */
export function tokenOf<M extends object>(name: string, more?: M): { name: string; sha256: string } & M {
  return { name, sha256: sha256(secretOf(name)), ...(more as M) };
}

/** Returns what a client of {@link tokenOf} sends. */
export function secretOf(name: string): string {
  return `${name}-token`;
}

/** Returns the header of a client of {@link tokenOf}. */
export function bearerOf(name: string): { authorization: string } {
  return { authorization: `Bearer ${secretOf(name)}` };
}
