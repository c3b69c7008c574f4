// The JSON-RPC layer of an MCP request: the body as a message, and errors that concern the request itself.
import { isObject } from "../../../proto/wire/struct.ts";
import { isDeeper } from "../json-body.ts";

/** No argument of a tool is nested so deeply. Code that walks through messages is recursive, so the depth is bounded. */
const DEPTH_MAX = 40;
/** Revision 2025-03-26 allows batches. Each of their calls counts by itself. */
const BATCH_MAX = 50;

export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  refused: -32_000,
  sessionNotFound: -32_001,
  headerMismatch: -32_020,
} as const;

type Id = string | number | null;

/** A JSON-RPC message, or a batch of them, as far as its form is known. */
export type Message = Record<string, unknown> | Record<string, unknown>[];

/** Thrown for a request that no MCP server gets. */
export class RpcRefusal extends Error {
  readonly response: Response;

  constructor(
    status: number,
    code: number,
    message: string,
    more: { id?: Id; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = "RpcRefusal";
    const body = { jsonrpc: "2.0", error: { code, message }, id: more.id ?? null };
    this.response = Response.json(body, { status, headers: more.headers ?? {} });
  }
}

/** Parses a body. Throws an RpcRefusal, which never repeats the body: it may hold a secret. */
export function messageIn(body: Uint8Array): Message {
  const message = parsed(body);
  if (typeof message !== "object" || message === null)
    throw new RpcRefusal(400, RPC.invalidRequest, "Invalid Request: the body is no JSON-RPC message");
  if (isDeeper(message, DEPTH_MAX))
    throw new RpcRefusal(
      400,
      RPC.invalidRequest,
      `Invalid Request: the body is nested over ${DEPTH_MAX} levels`,
    );
  if (!Array.isArray(message)) return message as Message;
  if (message.length === 0 || message.length > BATCH_MAX)
    throw new RpcRefusal(400, RPC.invalidRequest, `Invalid Request: a batch has 1 to ${BATCH_MAX} messages`);
  if (!message.every((each) => typeof each === "object" && each !== null))
    throw new RpcRefusal(400, RPC.invalidRequest, "Invalid Request: the batch holds what is no message");
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
    throw new RpcRefusal(400, RPC.parseError, "Parse error: the body is not JSON");
  }
}
