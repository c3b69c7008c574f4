// Records a call that a client or a door refused before the dispatcher had it, like a rejected call.
import { parsedJson } from "../../proto/calls/argument-values.ts";
import { plainArguments } from "../../proto/calls/plain-arguments.ts";
import { splitSession } from "../../proto/calls/session-argument.ts";
import { toolCall, toolNamed } from "../../proto/calls/tool-call.ts";
import {
  detailOf,
  type ErrorDetail,
  fail,
  isTroupeError,
  type TroupeError,
} from "../../proto/errors/catalogue.ts";
import { codeOf } from "../../proto/errors/status.ts";
import type { ReportRefusalRequest } from "../../proto/gen/troupe.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import { isObject, type JsonObject } from "../../proto/wire/struct.ts";
import type { Caller } from "../admission/caller.ts";
import { roleFor } from "../admission/rights.ts";
import type { Clock } from "../core/clock.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { digestOf, type EndedCall } from "../telemetry/ended-call.ts";

export interface RefusalParts {
  supervisor: Pick<Supervisor, "names">;
  sessions: Sessions;
  clock: Clock;
  /** Receives each call that has ended. */
  ended: (call: EndedCall) => void;
}

/** A call as it was written, and the error that refuses it. */
export interface RefusedCall {
  name: string;
  args: JsonObject;
  error: ErrorDetail;
}

/** Refuses a reported call as its client did. Throws INVALID_ARGUMENT for a call that no client refuses. */
export function reportedRefusal(
  { tool: name, arguments: text }: ReportRefusalRequest,
  { profile, session }: Caller,
  nowMs: number,
): RefusedCall {
  const given = parsedJson(text);
  if (!isObject(given)) throw wrong("the arguments are no JSON object");
  const args = plainArguments(given);
  const call = { tool: "", arguments: args, profile, role: "", session, tab: "" };
  try {
    const tool = toolNamed(name, profile, args);
    call.tool = tool.name;
    toolCall(tool, splitSession(args, session).args);
  } catch (error) {
    if (isTroupeError(error)) return { name, args, error: detailOf(error, call, nowMs) };
    throw error;
  }
  throw wrong("no client refuses this call");
}

/**
 * Records the call. Each of its words becomes a metric label. Throws SESSION_LOST, and PERMISSION_DENIED for another
 * client's role.
 */
export function accountForRefusal(
  parts: RefusalParts,
  { name, args, error }: RefusedCall,
  caller: Caller,
  requestId: string,
  firstRole: string | undefined,
): void {
  const { names } = parts.supervisor;
  const meant = names.find((each) => each === caller.role);
  const named = meant && roleFor(caller.client, meant, names);
  const { sessions } = parts;
  // The daemon that has the session is not asked for a call that was not made.
  const session = sessions.isElsewhere(caller) ? undefined : sessions.beside(caller, firstRole);
  const { type, category, title: message } = error;
  parts.ended({
    // The caller of an unknown tool recovers with the tool that the plan ends with.
    tool: type === "UNKNOWN_TOOL" ? (error.steps.at(-1)?.tool ?? "") : error.tool,
    role: named ?? session?.currentRole ?? firstRole ?? "",
    client: caller.client.name,
    session: caller.session,
    sessionKey: caller.key,
    requestId,
    outcome: type,
    code: codeOf(error),
    durationMs: 0,
    atMs: parts.clock.now(),
    failure: {
      category,
      recoverable: true,
      digest: digestOf(Buffer.from(JSON.stringify([name, args]))),
      message,
      plan: () => planText(error, caller.profile),
    },
  });
}

function wrong(problem: string): TroupeError {
  const likelyCause = "The program that reports is of another version, or put the report together by hand";
  return fail("INVALID_ARGUMENT", { argument: "arguments", problem, likelyCause });
}
