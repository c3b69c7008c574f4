// Makes a call for the dispatcher from an HTTP request, and an answer from its result.
import { Metadata, type StatusObject } from "@grpc/grpc-js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { toolCall } from "../../proto/calls/tool-call.ts";
import {
  type ErrorDetail,
  type ErrorType,
  fail,
  isTroupeError,
  type TroupeError,
} from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status.ts";
import type { SnapshotResponse } from "../../proto/gen/troupe.ts";
import { planText } from "../../proto/plans/plan-text.ts";
import type { Profile, Tool } from "../../proto/tools/declared-tools.ts";
import { PROFILE, REQUEST_ID, RESUME, ROLE, SESSION, VERSION_HEADER } from "../../proto/wire/metadata.ts";
import { assembled, type Reply, replyOf } from "../../proto/wire/reply.ts";
import { decode, encode } from "../../proto/wire/schema.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Client } from "../admission/client.ts";
import { type Calls, executeStream, executeUnary } from "../calls/execute.ts";
import { type AdmittedCall, GONE, type ToolCall } from "../calls/in-flight-call.ts";
import { RESPONSE_BYTES_MAX } from "../worker-process/worker-link.ts";
import { Problem, problemOf } from "./problem.ts";
import { answerOf } from "./rest-answer.ts";

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
  const asked = askedFor(tool, args);
  const met = {
    client: () => client,
    metadata: metadataOf(request),
    gone: goneOf(reply),
    isSent: () => reply.raw.writableFinished,
  };
  const call = { ...asked.call, ...met, ...IN_ALL };
  if (asked.role !== undefined) call.metadata.set(ROLE, asked.role);
  const carry = asked.rejection ? () => Promise.reject(asked.rejection) : carrier(tool, calls);
  const done = await calls.desk.take(tool, call, carry).then(
    (response) => ({ response }),
    (failed: StatusObject) => ({ failed: detailIn(failed) }),
  );
  if ("response" in done) return reply.send(answerOf(tool, done.response));
  const { failed } = done;
  const status = statusOf(failed);
  if (status === undefined)
    return reply.send({ success: false, text: planText(failed, profile), error: failed });
  const { headers, body } = problemOf(status, failed, profile);
  return reply.code(status).headers(headers).send(body);
}

/** The dispatcher's own time limit applies. The reply's headers have been set already. */
const IN_ALL: Pick<ToolCall, "deadlineMs" | "greet"> = {
  deadlineMs: Number.POSITIVE_INFINITY,
  greet: () => undefined,
};

interface Asked {
  call: Pick<ToolCall, "request" | "arguments">;
  role?: string;
  /** The reason that the arguments make no request. */
  rejection?: TroupeError;
}

function askedFor(tool: Tool, args: JsonObject): Asked {
  try {
    const { request, role } = toolCall(tool, args);
    return { call: { request: encode(tool.request, request) }, ...(role !== undefined && { role }) };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    // These bytes identify equal calls. No worker gets them.
    return { call: { request: Buffer.from(JSON.stringify(args)), arguments: args }, rejection: error };
  }
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
  return metadata;
}

function unprintable(name: string): TroupeError {
  const problem = `the header ${name} holds characters beyond printable ASCII`;
  return fail("INVALID_ARGUMENT", { argument: name, problem });
}

function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort(GONE));
  if (reply.raw.destroyed) gone.abort(GONE);
  return gone.signal;
}

function carrier(tool: Tool, calls: Calls): (under: AdmittedCall) => Promise<Reply> {
  if (tool.streams) return (under) => whole(tool, calls, under);
  const carry = executeUnary(tool, calls);
  return async (under) => replyOf(decode(tool.response, await carry(under)));
}

/** Assembles the messages that gRPC streams, because HTTP answers in one piece. */
async function whole(tool: Tool, calls: Calls, under: AdmittedCall): Promise<Reply> {
  const messages: Buffer[] = [];
  let size = 0;
  const sink = {
    write(message: Buffer) {
      size += message.length;
      if (size > RESPONSE_BYTES_MAX)
        under.abort.abort(fail("RESULT_TOO_LARGE", { size, limit: RESPONSE_BYTES_MAX }));
      else messages.push(message);
      return true;
    },
    once: () => undefined,
  };
  await executeStream(tool, calls, sink)(under);
  return assembled(messages.map((message) => decode<SnapshotResponse>(tool.response, message)));
}

function detailIn(failed: StatusObject): ErrorDetail {
  const detail = fromStatus(failed);
  if (!detail) throw new Error("a failure without details", { cause: failed });
  return detail;
}

function statusOf({ type, details }: ErrorDetail): number | undefined {
  const concernsHeader = type === "INVALID_ARGUMENT" && HEADERS.includes(String(details.argument));
  return concernsHeader ? 400 : STATUS[type];
}
