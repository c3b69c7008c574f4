// Decides what follows a failed start of a role: another try, a wait for the operator, or a wait for the next call.
import { type ServiceError, status } from "@grpc/grpc-js";
import { type ErrorData, type ErrorDetail, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status.ts";
import { NoTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import type { RoleEvent } from "./role-machine.ts";

/** With `error`, the worker gave a reason. Without it, the worker broke; its end gives the reason if none is here. */
export type StartFailure =
  | { error: TroupeError; event: RoleEvent; reason: string }
  | { error?: undefined; reason?: string };

/** Reads the value that `Worker.Start`, or the wait for its socket, was rejected with. */
export function startFailure(cause: unknown, role: string): StartFailure {
  const detail = isServiceError(cause) ? fromStatus(cause) : undefined;
  if (detail) return failureWith(detail, role);
  if (cause instanceof NoTemporaryFolder) {
    const { message: reason, mend } = cause;
    const error = fail("WORKER_UNAVAILABLE", { role, reason, mend });
    return { error, reason, event: { event: "startFailed", reason, lasting: true, mend } };
  }
  if (!isServiceError(cause)) return { reason: cause instanceof Error ? cause.message : String(cause) };
  return cause.code === status.DEADLINE_EXCEEDED ? { reason: "its browser did not start in time" } : {};
}

/** Makes the same error again for the callers that wait. */
function errorOf(detail: ErrorDetail): TroupeError {
  return fail(detail.type, detail.details as unknown as ErrorData[typeof detail.type]);
}

function failureWith(detail: ErrorDetail, role: string): StartFailure {
  const error = errorOf(detail);
  const reason = typeof detail.details.reason === "string" ? detail.details.reason : detail.message;
  switch (detail.type) {
    case "CHROME_NOT_CONNECTED":
    case "AUTHENTICATION_FAILED":
      // The next call tries again, because the file or the browser may be there by then.
      return { error, reason, event: { event: "startFailed", reason: detail.message, lasting: false } };
    case "WORKER_UNAVAILABLE": {
      if (detail.retry) return { error, reason, event: { event: "died", reason } };
      const mend = typeof detail.details.mend === "string" ? detail.details.mend : undefined;
      return {
        error: fail("WORKER_UNAVAILABLE", { role, reason, mend }),
        reason,
        event: { event: "startFailed", reason, lasting: true, mend },
      };
    }
    default:
      return { error, reason, event: { event: "died", reason } };
  }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "metadata" in error && "code" in error;
}
