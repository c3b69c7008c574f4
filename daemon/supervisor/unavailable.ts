// Makes the error of a role that takes no calls.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { RoleMachineState } from "./role-machine.ts";

/** The wait in milliseconds before a caller tries a starting role again. */
export const RETRY_AFTER_START_MS = 1000;

/** Returns the error for the role's state, with the time of the next try. `nowMs` is by the steady clock. */
export function unavailable(role: string, stand: RoleMachineState, nowMs: number): TroupeError {
  const reason = "reason" in stand && stand.reason ? stand.reason : "its worker is being started";
  if (stand.state === "FAILED")
    return fail("WORKER_UNAVAILABLE", { role, reason, ...(stand.mend && { mend: stand.mend }) });
  const dueMs = stand.state === "BACKING_OFF" ? stand.retryAtMs - nowMs : 0;
  return fail("WORKER_UNAVAILABLE", { role, reason, retryAfterMs: Math.max(RETRY_AFTER_START_MS, dueMs) });
}
