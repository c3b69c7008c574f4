// A role's login on its way into a session: what cannot be loaded is recorded, and here it is decided what follows.
import { isDeepStrictEqual } from "node:util";
import { fail } from "../../proto/errors/catalogue.ts";
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import { expiredByDate } from "../../proto/text/login-end.ts";
import { isGone } from "../core/gone.ts";
import type { FailureLog } from "../failures/failure-log.ts";
import { readStorageState, type StorageState } from "./storage-state.ts";

/** A login that has been read. */
export interface Login {
  role: string;
  state: StorageState;
  writtenAtMs: number;
  /** The file, as the configuration writes it. */
  authPath: string;
  /** Without it, no role. */
  required: boolean;
}

/** The role's login as its file has it now; undefined where it has none, or it cannot be read, which is recorded. */
export async function readLogin(config: RoleConfig, failures: FailureLog): Promise<Login | undefined> {
  if (!config.authFile) return undefined;
  const shown = config.authFileShown || config.authFile;
  try {
    const stored = await readStorageState(config.authFile, shown);
    return { ...stored, role: config.name, authPath: shown, required: config.authRequired };
  } catch (error) {
    failures.authNotLoaded(shown, error as Error);
    return undefined;
  }
}

/** A login that has ended by its own cookies' dates has expired, though no site has said so yet. */
export function noteExpiry({ state, authPath }: Login, failures: FailureLog): void {
  const ended = expiredByDate(state, Date.now());
  if (ended !== undefined) failures.loginExpired(authPath, ended);
}

/** Whether the login is another than the one that was loaded: its file was written since, or replaced by another one. */
export function isFresher(login: Login, loaded: Login | undefined): boolean {
  return login.writtenAtMs !== loaded?.writtenAtMs || !isDeepStrictEqual(login.state, loaded.state);
}

/**
 * Loads a part of the login; false where it cannot be. Such a failure is a warning from then on, in every snapshot, until
 * a session has the whole login. Throws AUTHENTICATION_FAILED where the role requires its login, and what says that the
 * session or its tab has ended meanwhile: that is no failure of the login.
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
