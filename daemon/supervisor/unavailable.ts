// Why a role takes no calls, for the caller.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { RoleMachineState } from "./role-machine.ts";

/** How long a caller is asked to wait before it tries a starting role again. */
export const RETRY_AFTER_START_MS = 1000;

/** Why the role that stands so takes no calls, and when it may again. `nowMs`: by the steady clock. */
export function unavailable(role: string, stand: RoleMachineState, nowMs: number): TroupeError {
  const reason = "reason" in stand && stand.reason ? stand.reason : "its worker is being started";
  if (stand.state === "FAILED")
    return fail("WORKER_UNAVAILABLE", { role, reason, ...(stand.mend && { mend: stand.mend }) });
  const dueMs = stand.state === "BACKING_OFF" ? stand.retryAtMs - nowMs : 0;
  return fail("WORKER_UNAVAILABLE", { role, reason, retryAfterMs: Math.max(RETRY_AFTER_START_MS, dueMs) });
}
