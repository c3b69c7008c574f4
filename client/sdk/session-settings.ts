// The settings that a program gives for a new session.
import { fail } from "../../proto/errors/catalogue.ts";
import { PROFILES, type Profile } from "../../proto/tools/read-tools.ts";
import { SESSION_ID } from "../../proto/wire/metadata.ts";

export interface SessionSettings {
  /** An id for a session that outlives this client. Without it, a new session ends with the client. */
  session?: string | undefined;
  /** The first role. Default: the daemon's first one. */
  role?: string | undefined;
  /** The tools that models are offered and that plans name; default core. It does not limit typed methods. */
  profile?: Profile | undefined;
  /** The budget of snapshots that name none. Default: 6000, in the small profile 1500. */
  maxTokens?: number | undefined;
  /** The daemon keeps evidence of the calls, also in a role without `record`. */
  record?: boolean | undefined;
}

/** Throws INVALID_ARGUMENT for an invalid session id or profile. */
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
