// Explains a gRPC status without Troupe's details. grpc-js or a proxy made it on the way.
import type { ServiceError } from "@grpc/grpc-js";
import { fail, GRPC_CODE, type TroupeError } from "../../proto/errors/catalogue.ts";

export interface TransportFailure {
  error: TroupeError;
  /** The connection cannot be used any more. The daemon may or may not have begun the call. */
  lost: boolean;
  /** The call's time is over, as the client or the daemon noticed: it is not asked again. */
  late?: true;
}

/** The facts of the call, for the error's text. */
export interface Sent {
  /** The daemon's address for errors. */
  address: string;
  deadlineMs: number;
  requestId: string;
  /** The caller's signal; aborted if the caller gave up. */
  signal?: AbortSignal;
}

const RETRY_AFTER_MS = 1000;

export function transportFailure(from: Pick<ServiceError, "code" | "details">, sent: Sent): TransportFailure {
  if (sent.signal?.aborted) return { lost: false, error: cancelled() };
  switch (from.code) {
    case GRPC_CODE.DEADLINE_EXCEEDED:
      return { ...unreachable(`no answer came within ${Math.round(sent.deadlineMs / 1000)} s`), late: true };
    case GRPC_CODE.UNIMPLEMENTED:
      return unreachable(
        "what answers there does not know this call: another version of Troupe, or another program",
        "none",
      );
    case GRPC_CODE.UNAUTHENTICATED:
      return { lost: false, error: fail("UNAUTHENTICATED", { reason: from.details }, from) };
    case GRPC_CODE.RESOURCE_EXHAUSTED:
      return { lost: false, error: tooLarge(from) };
    case GRPC_CODE.UNAVAILABLE:
    case GRPC_CODE.CANCELLED:
      return unreachable("the connection was lost");
    case GRPC_CODE.INTERNAL:
      if (/RST_STREAM/.test(from.details)) return unreachable("the connection was reset");
      break;
    default:
      break;
  }
  return { lost: false, error: fail("INTERNAL", { reportId: sent.requestId }, from) };

  function unreachable(reason: string, effect: "none" | "unknown" = "unknown"): TransportFailure {
    const data = { address: sent.address, reason, retryAfterMs: RETRY_AFTER_MS, effect };
    return { lost: true, error: fail("DAEMON_UNREACHABLE", data, from) };
  }
}

/** The error of a call that its caller gave up. */
export function cancelled(): TroupeError {
  return fail("CANCELLED", { reason: "the client gave it up" });
}

/** grpc-js rejects a message by its size: "Received message larger than max (5000000 vs 4194304)". */
function tooLarge(from: Pick<ServiceError, "details">): TroupeError {
  const [, size = 0, limit = 0] = /\((\d+) vs\.? (\d+)\)/.exec(from.details) ?? [];
  return fail("RESULT_TOO_LARGE", { size: Number(size), limit: Number(limit) }, from);
}
