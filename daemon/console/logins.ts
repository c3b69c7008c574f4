// Remembers which page of the console logged in with which token. The page's cookie holds an id and no token.
import { createHash, randomBytes } from "node:crypto";
import { keepNewest } from "../../proto/machine/newest.ts";
import type { Clock } from "../core/clock.ts";

/** The most logins at once. The oldest gives way. */
const LOGINS_MAX = 1_000;
/** A login ends after this time, even if its token lasts longer. */
const AGE_MS_MAX = 24 * 3_600_000;

interface Login {
  authorization: string;
  sinceMs: number;
}

export class Logins {
  /** By the digest of the cookie's value. */
  readonly #logins = new Map<string, Login>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the cookie's value for a header that was found good. */
  begin(authorization: string): string {
    const id = randomBytes(24).toString("base64url");
    keepNewest(this.#logins, digest(id), { authorization, sinceMs: this.#clock.steady() }, LOGINS_MAX);
    return id;
  }

  /** Returns the Authorization header of the login; undefined if there is none. */
  of(id: string): string | undefined {
    const login = this.#logins.get(digest(id));
    if (!login) return undefined;
    if (this.#clock.steady() - login.sinceMs <= AGE_MS_MAX) return login.authorization;
    this.end(id);
    return undefined;
  }

  end(id: string): void {
    this.#logins.delete(digest(id));
  }
}

/** A lookup by digest does not reveal by its duration how much of an id is right. */
function digest(id: string): string {
  return createHash("sha256").update(id).digest("base64");
}
