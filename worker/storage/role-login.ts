// Loads a role's login into a session, records what cannot be loaded, and decides what follows.
import { isDeepStrictEqual } from "node:util";
import { fail } from "../../proto/errors/catalogue.ts";
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import { expiredByDate } from "../../proto/text/login-end.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import type { StorageState } from "./storage-state.ts";

/** A login that has been read. */
export interface Login {
  role: string;
  state: StorageState;
  writtenAtMs: number;
  /** The file, as the configuration writes it. */
  authPath: string;
  /** The role does not work without this login. */
  required: boolean;
}

/** Reads the role's login file. Returns undefined if the role has none, or if it cannot be read, which is recorded. */
export async function readLogin(config: RoleConfig, failures: FailureLog): Promise<Login | undefined> {
  if (!config.authFile) return undefined;
  const shown = config.authFileShown || config.authFile;
  try {
    // A role without a login is spared the time to load the check of one.
    const { readStorageState } = await import("./storage-state.ts");
    const stored = await readStorageState(config.authFile, shown);
    return { ...stored, role: config.name, authPath: shown, required: config.authRequired };
  } catch (error) {
    failures.authNotLoaded(shown, error as Error);
    return undefined;
  }
}

/** Records a login as expired if its cookies' dates are over, even though no site has rejected it yet. */
export function noteExpiry({ state, authPath }: Login, failures: FailureLog): void {
  const ended = expiredByDate(state, Date.now());
  if (ended !== undefined) failures.loginExpired(authPath, ended);
}

/** Returns true if the login differs from the loaded one: its file was written since, or replaced. */
export function isFresher(login: Login, loaded: Login | undefined): boolean {
  return login.writtenAtMs !== loaded?.writtenAtMs || !isDeepStrictEqual(login.state, loaded.state);
}

/**
 * Loads a part of the login. Returns false if that fails. Every snapshot then carries a warning until a session has the
 * whole login. Throws AUTHENTICATION_FAILED if the role requires its login. If the session or its tab has ended, throws
 * that error instead, because the login did not fail.
 */
export async function loadPart(
  { role, authPath, required }: Login,
  failures: FailureLog,
  load: () => Promise<void>,
): Promise<boolean> {
  try {
    await load();
    return true;
  } catch (error) {
    if (isGone(error)) throw error;
    const { message } = error as Error;
    failures.authNotLoaded(authPath, new Error(`Failed to load auth from ${authPath}: ${message}`));
    if (required) throw fail("AUTHENTICATION_FAILED", { role, authPath, reason: message }, error);
    return false;
  }
}
