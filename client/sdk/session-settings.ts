// What a program says of a session that it begins.
import { fail } from "../../proto/errors/catalogue.ts";
import { PROFILES, type Profile } from "../../proto/tools/catalogue.ts";
import { SESSION_ID } from "../../proto/wire/metadata.ts";

export interface SessionSettings {
  /** An id for a session that outlives this client; without one, a new session that ends with it. */
  session?: string | undefined;
  /** The role to begin with; without it, the daemon's first. */
  role?: string | undefined;
  /** Which tools models are offered, and the plans of errors name; default core. Typed methods are all there. */
  profile?: Profile | undefined;
  /** The budget of snapshots that name none; default 6000, in the small profile 1500. */
  maxTokens?: number | undefined;
}

/** Throws INVALID_ARGUMENT for a session or profile that there cannot be. */
export function checkSettings({ session, profile }: SessionSettings): void {
  if (session !== undefined && !SESSION_ID.test(session)) {
    const problem = "session must be 1 to 128 visible ASCII characters without a space";
    throw fail("INVALID_ARGUMENT", { argument: "session", problem, example: "shop-agent" });
  }
  if (profile !== undefined && !PROFILES.includes(profile)) {
    const problem = `there is no profile ${JSON.stringify(profile)}`;
    throw fail("INVALID_ARGUMENT", { argument: "profile", problem, allowed: [...PROFILES] });
  }
}
