// Records a call that a client or a door refused before the dispatcher had it, like a rejected call.
import { CALL_DIGEST_BYTES, REFUSED_WITH } from "../../proto/calls/client-refusal.ts";
import { catalogue, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { codeOf } from "../../proto/errors/status.ts";
import type { ReportRefusalRequest } from "../../proto/gen/troupe.ts";
import { rpcs } from "../../proto/tools/catalogue.ts";
import type { Caller } from "../admission/caller.ts";
import { roleFor } from "../admission/rights.ts";
import type { Clock } from "../core/clock.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { EndedCall } from "../telemetry/ended-call.ts";

export interface RefusalParts {
  supervisor: Pick<Supervisor, "names">;
  sessions: Sessions;
  clock: Clock;
  /** Receives each call that has ended. */
  ended: (call: EndedCall) => void;
}

/** The known facts of a refused call. */
export interface RefusedCall {
  type: (typeof REFUSED_WITH)[number];
  /** A tool's name; empty if no such tool exists. */
  tool: string;
  /** Equal for equal calls. */
  digest: string;
}

/**
 * Checks a client's report and returns the refused call. Throws INVALID_ARGUMENT for a report that no client makes. The
 * error repeats none of the report's words.
 */
export function reportedRefusal({ type: given, tool, digest }: ReportRefusalRequest): RefusedCall {
  const type = REFUSED_WITH.find((each) => each === given);
  if (!type) {
    throw wrong("type", "clients refuse no call with an error of this type", { allowed: [...REFUSED_WITH] });
  }
  const isTool = rpcs.some(({ name }) => name === tool);
  if (!isTool && !(type === "UNKNOWN_TOOL" && tool === "")) throw wrong("tool", "there is no such tool");
  if (digest.length !== CALL_DIGEST_BYTES)
    throw wrong("digest", `the digest has ${digest.length} bytes instead of ${CALL_DIGEST_BYTES}`);
  return { type, tool, digest: Buffer.from(digest).toString("base64") };
}

/**
 * Records the call. Each of its words becomes a metric label. Throws SESSION_LOST, and PERMISSION_DENIED for another
 * client's role.
 */
export function accountForRefusal(
  parts: RefusalParts,
  { type, tool, digest }: RefusedCall,
  caller: Caller,
  requestId: string,
  firstRole: string | undefined,
): void {
  const { names } = parts.supervisor;
  const meant = names.find((name) => name === caller.role);
  const named = meant && roleFor(caller.client, meant, names);
  const session = parts.sessions.beside(caller, firstRole);
  const { category, title } = catalogue[type];
  parts.ended({
    tool,
    role: named ?? session.currentRole,
    client: caller.client.name,
    session: session.id,
    sessionKey: session.key,
    requestId,
    outcome: type,
    code: codeOf({ type, details: {} }),
    durationMs: 0,
    atMs: parts.clock.now(),
    failure: { category, recoverable: true, digest, message: title },
  });
}

function wrong(argument: string, problem: string, more: { allowed?: string[] } = {}): TroupeError {
  return fail("INVALID_ARGUMENT", { argument, problem, ...more, likelyCause: BY_HAND });
}

const BY_HAND = "The program that reports is of another version, or put the report together by hand";
