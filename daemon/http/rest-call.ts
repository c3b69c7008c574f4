// Answers an HTTP request that calls a tool.
import { Metadata } from "@grpc/grpc-js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ErrorDetail, type ErrorType, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import type { Profile, Tool } from "../../proto/tools/read-tools.ts";
import { traceparent } from "../../proto/tracing/traceparent.ts";
import {
  PROFILE,
  PROGRAM,
  REQUEST_ID,
  RESUME,
  ROLE,
  SESSION,
  TRACEPARENT,
  VERSION_HEADER,
} from "../../proto/wire/metadata.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Client } from "../admission/client.ts";
import type { Calls } from "../calls/execute.ts";
import { GONE } from "../calls/in-flight-call.ts";
import { Problem, problemOf } from "./problem.ts";
import { answerOf } from "./rest-answer.ts";
import { runTool } from "./run-tool.ts";

/** The request's headers that concern the call and not its tool. */
const HEADERS = [SESSION, ROLE, PROFILE, RESUME, VERSION_HEADER];
const PRINTABLE = /^[\x20-\x7e]*$/;

/** The HTTP status of failures that concern the request and not the tool. */
export const STATUS: Partial<Record<ErrorType, number>> = {
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  BUSY: 429,
  DAEMON_DRAINING: 503,
};

export async function callTool(
  calls: Calls,
  { tool, profile, args, client }: { tool: Tool; profile: Profile; args: JsonObject; client: Client },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const outcome = await runTool(calls, {
    tool,
    args,
    client: () => client,
    metadata: metadataOf(request),
    gone: goneOf(reply),
    isSent: () => reply.raw.writableFinished,
  });
  if ("reply" in outcome) return reply.send(answerOf(tool, outcome.reply));
  const { failed } = outcome;
  const status = statusOf(failed);
  if (status === undefined)
    return reply.send({ success: false, text: planText(failed, profile), error: failed });
  const { headers, body } = problemOf(status, failed, profile);
  return reply.code(status).headers(headers).send(body);
}

/**
 * Returns the call's metadata, as a gRPC client would send it. Throws a Problem for a header that gRPC cannot carry.
 */
export function metadataOf({ headers, id }: FastifyRequest): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, id);
  for (const name of HEADERS) {
    const value = headers[name];
    if (value === undefined) continue;
    if (!PRINTABLE.test(String(value))) throw new Problem(400, unprintable(name));
    metadata.set(name, String(value));
  }
  // A malformed context is ignored, as the standard says.
  const parent = traceparent(headers[TRACEPARENT]);
  if (parent !== undefined) metadata.set(TRACEPARENT, parent);
  // Operators see the program. A call does not fail for its name.
  const program = String(headers[PROGRAM] ?? headers["user-agent"] ?? "");
  if (PRINTABLE.test(program)) metadata.set(PROGRAM, program);
  return metadata;
}

function unprintable(name: string): TroupeError {
  const problem = `the header ${name} holds characters beyond printable ASCII`;
  return fail("INVALID_ARGUMENT", { argument: name, problem });
}

/** Aborts when the client is gone. */
export function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort(GONE));
  if (reply.raw.destroyed) gone.abort(GONE);
  return gone.signal;
}

function statusOf({ type, details }: ErrorDetail): number | undefined {
  const concernsHeader = type === "INVALID_ARGUMENT" && HEADERS.includes(String(details.argument));
  return concernsHeader ? 400 : STATUS[type];
}
