// Whether a request carries the token that the HTTP door asks for (RFC 6750).
import { createHash, timingSafeEqual } from "node:crypto";
import { fail } from "../../proto/errors.ts";
import { Problem } from "./problem.ts";

const MEND =
  "Send the header Authorization: Bearer TOKEN. TOKEN is what the file `token` in the daemon's state folder holds; troupe status names the folder, and its owner alone can read it";

/** Looks at a request's Authorization header. Throws a Problem (401) where it does not carry the token. */
export function tokenCheck(token: string): (authorization: string | undefined) => void {
  const known = digest(token);
  return (authorization) => {
    if (authorization === undefined) throw refused("the request has no Authorization header");
    const [, given] = /^bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? [];
    if (!given) throw refused("the Authorization header is not of the form Bearer TOKEN", "invalid_request");
    if (!timingSafeEqual(digest(given), known)) throw refused("the token is another one", "invalid_token");
  };
}

/** Of equal length for every token, and so compared in equal time. */
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function refused(reason: string, error?: string): Problem {
  const challenge = `Bearer realm="troupe"${error ? `, error="${error}"` : ""}`;
  return new Problem(401, fail("UNAUTHENTICATED", { reason, mend: MEND }), { "www-authenticate": challenge });
}
