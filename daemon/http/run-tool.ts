// Passes a call from an HTTP door to the dispatcher, and assembles its reply or its error.
import type { StatusObject } from "@grpc/grpc-js";
import type { SeenPages } from "../../proto/calls/seen-pages.ts";
import { toolCall } from "../../proto/calls/tool-call.ts";
import { type ErrorDetail, fail, isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status.ts";
import type { SnapshotResponse } from "../../proto/gen/troupe.ts";
import type { Outcome } from "../../proto/mcp/tool-caller.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { PUT_ID } from "../../proto/wire/file-bounds.ts";
import { ROLE } from "../../proto/wire/metadata.ts";
import { assembled, type Reply, replyOf } from "../../proto/wire/reply.ts";
import { decode, encode } from "../../proto/wire/schema.ts";
import type { Json, JsonObject } from "../../proto/wire/struct.ts";
import type { Calls } from "../calls/execute.ts";
import type { ToolCall } from "../calls/in-flight-call.ts";
import { takeRefused, takeStream, takeUnary } from "../calls/take.ts";
import { RESPONSE_BYTES_MAX } from "../worker-process/worker-link.ts";

/** A reader that is new to its session, with the session's name and current role. */
export interface Reader {
  seen: SeenPages;
  session: string;
  role: string;
}

/** A call from an HTTP request. The dispatcher's own time limit applies to it. */
export interface ToolRun extends Pick<ToolCall, "client" | "metadata" | "gone" | "isSent" | "firstRole"> {
  tool: Tool;
  args: JsonObject;
  /** The budget of snapshots that name none. */
  maxTokens?: number | undefined;
  reader?: Reader | undefined;
  /** The reason that the arguments are refused before they are read. */
  refused?: TroupeError | undefined;
}

export async function runTool(calls: Calls, run: ToolRun): Promise<Outcome> {
  const { tool, client, metadata, gone, isSent, firstRole, reader } = run;
  const { asked, role, place, rejection } = askedFor(run);
  if (role !== undefined) metadata.set(ROLE, role);
  const met = { client, metadata, gone, isSent, firstRole };
  const call = { ...asked, ...met, deadlineMs: Number.POSITIVE_INFINITY, greet: () => undefined };
  try {
    if (rejection) await takeRefused(calls, tool, call, rejection);
    const reply = await (tool.streams ? whole : single)(calls, tool, call);
    reader?.seen.saw(place);
    return { reply };
  } catch (failed) {
    reader?.seen.clear();
    return { failed: detailIn(failed as StatusObject) };
  }
}

interface Asked {
  asked: Pick<ToolCall, "request" | "arguments">;
  role?: string | undefined;
  /** The place that the reply shows. */
  place?: string | undefined;
  /** The reason that the arguments make no request. */
  rejection?: TroupeError;
}

function askedFor({ tool, args, maxTokens, reader, refused }: ToolRun): Asked {
  try {
    if (refused) throw refused;
    const call = toolCall(tool, args, maxTokens);
    checkNoPaths(tool, call.request);
    const place = reader?.seen.look(call, reader.role, reader.session);
    return { asked: { request: encode(tool.request, call.request) }, role: call.role, place };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    // These bytes identify equal calls. No worker gets them.
    return { asked: { request: Buffer.from(JSON.stringify(args)), arguments: args }, rejection: error };
  }
}

/** The daemon opens no file that a client names. Throws FILE_NOT_ALLOWED. */
function checkNoPaths(tool: Tool, request: Record<string, Json>): void {
  const names = tool.arguments.filter(({ local }) => local).flatMap(({ name }) => request[name] ?? []);
  const path = names.map(String).find((name) => !PUT_ID.test(name));
  if (path !== undefined) throw fail("FILE_NOT_ALLOWED", { path, allowed: [], problem: "remote" });
}

async function single(calls: Calls, tool: Tool, call: ToolCall): Promise<Reply> {
  return replyOf(decode(tool.response, await takeUnary(calls, tool, call)));
}

/** Assembles the messages that gRPC streams, because HTTP answers in one piece. */
async function whole(calls: Calls, tool: Tool, call: ToolCall): Promise<Reply> {
  const tooLarge = new AbortController();
  const messages: Buffer[] = [];
  let size = 0;
  const sink = {
    write(message: Buffer) {
      size += message.length;
      if (size > RESPONSE_BYTES_MAX)
        tooLarge.abort(fail("RESULT_TOO_LARGE", { size, limit: RESPONSE_BYTES_MAX }));
      else messages.push(message);
      return true;
    },
    once: () => undefined,
  };
  await takeStream(calls, tool, { ...call, unwanted: tooLarge.signal }, sink);
  return assembled(messages.map((message) => decode<SnapshotResponse>(tool.response, message)));
}

function detailIn(failed: StatusObject): ErrorDetail {
  const detail = fromStatus(failed);
  if (!detail) throw new Error("a failure without details", { cause: failed });
  return detail;
}
