// The JSON-RPC layer of an MCP request: the body as a message, and errors that concern the request itself.
import { isObject } from "../../../proto/wire/struct.ts";
import { isDeeper } from "../json-body.ts";
import { type Id, RPC, RpcProblem, wrong } from "./rpc-problem.ts";

/** No argument of a tool is nested so deeply. Code that walks through messages is recursive, so the depth is bounded. */
const DEPTH_MAX = 40;
/** Revision 2025-03-26 allows batches. Each of their calls counts by itself. */
const BATCH_MAX = 50;

/** A JSON-RPC message, or a batch of them, as far as its form is known. */
export type Message = Record<string, unknown> | Record<string, unknown>[];

/** Parses a body. Throws an RpcProblem, which never repeats the body: it may hold a secret. */
export function messageIn(body: Uint8Array): Message {
  const message = parsed(body);
  if (typeof message !== "object" || message === null) throw invalid("the body is no JSON-RPC message");
  if (isDeeper(message, DEPTH_MAX)) throw invalid(`the body is nested over ${DEPTH_MAX} levels`);
  if (!Array.isArray(message)) return message as Message;
  if (message.length === 0 || message.length > BATCH_MAX)
    throw invalid(`the batch has ${message.length} messages, and 1 to ${BATCH_MAX} are taken`);
  if (!message.every((each) => typeof each === "object" && each !== null))
    throw invalid("the batch holds what is no message");
  return message as Message;
}

/** Returns the messages of a batch, or the one message. */
export function eachOf(message: Message): Record<string, unknown>[] {
  return Array.isArray(message) ? message : [message];
}

/** Returns the parameters of a message. A message without any has none of the fields. */
export function paramsOf(message: Record<string, unknown>): Record<string, unknown> {
  const { params } = message;
  return typeof params === "object" && params !== null ? (params as Record<string, unknown>) : {};
}

/** Returns what a request says of itself beside its parameters. A batch says nothing in common. */
export function metaOf(message: Message | undefined): Record<string, unknown> {
  const { _meta: meta } = message && !Array.isArray(message) ? paramsOf(message) : {};
  return isObject(meta) ? meta : {};
}

/** Returns the id to answer with; null if the message has none. */
export function idOf(message: Message): Id {
  const { id } = Array.isArray(message) ? {} : (message as { id?: unknown });
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new RpcProblem(400, RPC.parseError, wrong("body", "the body is not JSON", BODY));
  }
}

const BODY = "with one JSON-RPC message as its body";

function invalid(problem: string): RpcProblem {
  return new RpcProblem(400, RPC.invalidRequest, wrong("body", problem, BODY));
}
