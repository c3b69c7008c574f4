// What a gRPC status without Troupe's details means: it was made on the way, by grpc-js or by a proxy.
import { type ServiceError, status } from "@grpc/grpc-js";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";

export interface TransportFailure {
  error: TroupeError;
  /** The connection is of no more use; whether the daemon had begun the call is not known. */
  lost: boolean;
}

/** What is known of the call, for the error's words. */
export interface Sent {
  /** The daemon's address, as errors name it. */
  address: string;
  deadlineMs: number;
  requestId: string;
  /** The caller's; aborted where it gave up. */
  signal?: AbortSignal;
}

const RETRY_AFTER_MS = 1000;

export function transportFailure(from: Pick<ServiceError, "code" | "details">, sent: Sent): TransportFailure {
  if (sent.signal?.aborted) return { lost: false, error: cancelled() };
  switch (from.code) {
    case status.DEADLINE_EXCEEDED:
      return unreachable(`no answer came within ${Math.round(sent.deadlineMs / 1000)} s`);
    case status.UNIMPLEMENTED:
      return unreachable(
        "what answers there does not know this call: another version of Troupe, or another program",
        "none",
      );
    case status.UNAUTHENTICATED:
      return { lost: false, error: fail("UNAUTHENTICATED", { reason: from.details }, from) };
    case status.RESOURCE_EXHAUSTED:
      return { lost: false, error: tooLarge(from) };
    case status.UNAVAILABLE:
    case status.CANCELLED:
      return unreachable("the connection was lost");
    case status.INTERNAL:
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

/** grpc-js refuses a message by its size: "Received message larger than max (5000000 vs 4194304)". */
function tooLarge(from: Pick<ServiceError, "details">): TroupeError {
  const [, size = 0, limit = 0] = /\((\d+) vs\.? (\d+)\)/.exec(from.details) ?? [];
  return fail("RESULT_TOO_LARGE", { size: Number(size), limit: Number(limit) }, from);
}
