// Translates a gRPC status without Troupe's details into a type of the catalogue.
import { type ServiceError, status } from "@grpc/grpc-js";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { type Tool, toolsOf } from "../../proto/tools/read-tools.ts";
import type { WorkerEnd } from "../worker-process/worker.ts";

/** The known facts of the call besides its status. */
export interface ForeignCase {
  tool: Tool;
  role: string;
  /** The browser that the role is attached to; empty for one of its own. */
  endpoint: string;
  /** True if the request's bytes are a message of the tool's type. */
  wellFormed: boolean;
  /** True if the client went away or cancelled. */
  cancelled: boolean;
  /** The duration of the call so far. */
  tookMs: number;
  /** The worker's end, if it ended with the call. */
  workerEnd: WorkerEnd | undefined;
}

/** Returns the error for the status, or undefined if the case is unforeseen. */
export function meaningOf(
  error: Pick<ServiceError, "code" | "details">,
  about: ForeignCase,
): TroupeError | undefined {
  if (about.cancelled) return fail("CANCELLED", { reason: "the client cancelled it or went away" });
  switch (error.code) {
    case status.DEADLINE_EXCEEDED:
      return fail("TIMEOUT", { waitedFor: `the reply to ${about.tool.name}`, afterMs: about.tookMs });
    case status.RESOURCE_EXHAUSTED:
      return tooLarge(error.details);
    case status.UNIMPLEMENTED:
      return fail("UNKNOWN_TOOL", { tool: about.tool.name, known: toolsOf("small").map(({ name }) => name) });
    default:
      if (about.workerEnd?.kind === "browser-disconnected") {
        const { role, endpoint, workerEnd } = about;
        return fail("CHROME_NOT_CONNECTED", { role, endpoint, reason: workerEnd.reason, effect: "unknown" });
      }
      if (about.workerEnd) {
        return fail("WORKER_RESTARTED", {
          role: about.role,
          reason: about.workerEnd.reason,
          effect: "unknown",
        });
      }
      return about.wellFormed ? undefined : malformed(about.tool);
  }
}

/** Returns true if the worker may be dying, so that a short wait for its end is worth it. */
export function mayBeDying({ code }: Pick<ServiceError, "code">): boolean {
  return [status.UNAVAILABLE, status.INTERNAL, status.UNKNOWN, status.CANCELLED, status.ABORTED].includes(
    code,
  );
}

/** Makes the error for bytes that are no message of the tool's type. */
export function malformed(tool: Tool): TroupeError {
  return fail("INVALID_ARGUMENT", {
    argument: "request",
    problem: `the request's bytes are no ${tool.request.fullName.slice(1)}`,
  });
}

/** The wording of grpc-js is `Received message larger than max (5242885 vs 4194304)`. */
function tooLarge(details: string): TroupeError | undefined {
  const sizes = /\((\d+) vs\.? (\d+)\)/.exec(details) ?? /larger than (?:max )?\(?(\d+)/.exec(details);
  if (!sizes) return undefined;
  return fail("RESULT_TOO_LARGE", { size: Number(sizes[1]), limit: Number(sizes[2] ?? sizes[1]) });
}
