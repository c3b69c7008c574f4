// JSON-RPC over stdin and stdout, one message a line. It survives any input.
import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { parsedJson } from "../../proto/calls/argument-values.ts";
import { isObject } from "../../proto/wire/struct.ts";

/** A longer line is rejected and skipped to its end. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const BAD_TOOL_CALL = "tools/call takes a name, a string, and arguments, an object";
/** It stays unanswered as long as the connection lasts. */
const SUBSCRIPTION = "subscriptions/listen";

/**
 * Unlike the SDK's transport it answers lines that are no message, and stays open after a line that is too long. After
 * the end of its input it closes once all requests are answered, because a pipe may end behind the last request.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves when the transport has closed. */
  readonly ended: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lineBytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  readonly #unanswered = new Set<string | number>();
  #inputEnded = false;
  #closed = false;
  readonly #resolveEnded: () => void;

  constructor(input: Readable, output: Writable, lineBytesMax: number = LINE_BYTES_MAX) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.#input = input;
    this.#output = output;
    this.#lineBytesMax = lineBytesMax;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    for (const event of ["end", "close", "error"]) this.#input.on(event, this.#noMoreInput);
    // The client is gone.
    for (const event of ["close", "error"]) this.#output.on(event, this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message, () => {
      if (!("method" in message)) this.#settled(message.id);
    });
  }

  async close(): Promise<void> {
    this.#end();
  }

  readonly #noMoreInput = () => {
    this.#inputEnded = true;
    this.#endIfAnswered();
  };

  /** The request is answered, or the client has cancelled it. */
  #settled(id: unknown): void {
    this.#unanswered.delete(id as string | number);
    this.#endIfAnswered();
  }

  #endIfAnswered(): void {
    if (this.#inputEnded && this.#unanswered.size === 0) this.#end();
  }

  readonly #end = () => {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.off("data", this.#take);
    this.#input.pause();
    this.onclose?.();
    this.#resolveEnded();
  };

  readonly #take = (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.#keep(rest.subarray(0, end));
      this.#line();
      rest = rest.subarray(end + 1);
    }
    this.#keep(rest);
  };

  /** For a line that is too long only the length is kept. */
  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#lineBytesMax) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #line(): void {
    const tooLong = this.#bytes > this.#lineBytesMax;
    const line = tooLong ? "" : Buffer.concat(this.#parts).toString("utf8").trim();
    this.#parts = [];
    this.#bytes = 0;
    if (tooLong) this.#refuse(null, INVALID_REQUEST, `a message has at most ${this.#lineBytesMax} bytes`);
    else if (line) this.#message(line);
  }

  #message(line: string): void {
    let parsed: unknown;
    try {
      parsed = JSON.parse(line);
    } catch (error) {
      this.onerror?.(error as Error);
      this.#refuse(null, PARSE_ERROR, "this line is not JSON");
      return;
    }
    const message = asMessage(withArguments(parsed));
    if (!message) this.#refuse(idOf(parsed), INVALID_REQUEST, "this is no JSON-RPC 2.0 message");
    else if (isBadToolCall(message)) this.#refuse(idOf(parsed), INVALID_PARAMS, BAD_TOOL_CALL);
    else this.#deliver(message);
  }

  #deliver(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method !== SUBSCRIPTION) this.#unanswered.add(message.id);
    this.onmessage?.(message);
    if ("method" in message && message.method === "notifications/cancelled")
      this.#settled(message.params?.requestId);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: object, taken?: () => void): void {
    if (!this.#closed) this.#output.write(`${JSON.stringify(message)}\n`, taken);
  }
}

/** Some clients write null for no arguments, or pass on the model's text. MCP's schema allows neither. */
function withArguments(parsed: unknown): unknown {
  const { method, params } = (parsed ?? {}) as { method?: unknown; params?: Record<string, unknown> };
  const given = params?.arguments;
  if (method !== "tools/call" || (given !== null && typeof given !== "string")) return parsed;
  const args = given?.trim() ? parsedJson(given) : {};
  return { ...(parsed as object), params: { ...params, arguments: args ?? given } };
}

function asMessage(parsed: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(parsed);
  } catch {
    return undefined;
  }
}

function isBadToolCall(message: JSONRPCMessage): boolean {
  if (!("method" in message) || message.method !== "tools/call") return false;
  const { name, arguments: args = {} } = message.params ?? {};
  return typeof name !== "string" || !isObject(args);
}

function idOf(parsed: unknown): string | number | null {
  const { id } = (parsed ?? {}) as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}
