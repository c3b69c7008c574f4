// The errors for calls that a daemon cannot take now, though it may take them soon.
import { fail, isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";

/** The time after which a client may try again. A drain lasts longer than a pause of the database. */
const RETRY_AFTER_MS = 1_000;
const RETRY_AFTER_DRAIN_MS = 2_000;

export type Effect = "none" | "unknown";

/** Makes the error for a session whose state cannot be read or written, or that another daemon may have. */
export function storeUnavailable(reason: string, effect: Effect = "none", cause?: unknown): TroupeError {
  return fail("STORE_UNAVAILABLE", { reason, retryAfterMs: RETRY_AFTER_MS, effect }, cause);
}

/** Makes the error for a call that another daemon or the database kept waiting until its deadline. */
export function unansweredInTime(effect: Effect): TroupeError {
  return storeUnavailable("another daemon or the database did not answer in time", effect);
}

/** Makes the error for a session of another daemon that cannot be reached. */
export function ownerUnreached(
  reason = "the daemon that has it cannot be reached",
  effect: Effect = "none",
  cause?: unknown,
): TroupeError {
  return fail("STORE_UNAVAILABLE", { reason, retryAfterMs: RETRY_AFTER_MS, effect, peer: true }, cause);
}

/** Returns the error for a call that had an effect before it failed. */
export function withUnknownEffect(error: unknown): unknown {
  if (!isTroupeError(error) || !("effect" in error.data)) return error;
  return fail(error.type, { ...error.data, effect: "unknown" } as never, error);
}

/** Makes the error for calls while the daemon drains. */
export function draining(effect: Effect): TroupeError {
  return fail("DAEMON_DRAINING", { retryAfterMs: RETRY_AFTER_DRAIN_MS, effect });
}
