// Answers MCP over Streamable HTTP, in both protocol eras. The SDK decides which one a request is of.
import { isLegacyRequest } from "@modelcontextprotocol/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import type { McpRequest } from "../../../proto/mcp/tool-caller.ts";
import { traceIn } from "../../../proto/mcp/trace.ts";
import { REQUEST_ID } from "../../../proto/wire/metadata.ts";
import { ClientStreams } from "../../admission/client-streams.ts";
import type { Log } from "../../core/log.ts";
import type { Admitted } from "../client-check.ts";
import { STATUS } from "../rest-call.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import { idOf, type Message, messageIn, metaOf } from "./json-rpc.ts";
import { NewerEra } from "./newer-era.ts";
import { OlderEra, type OlderEraParts } from "./older-era.ts";
import { RPC, RpcProblem } from "./rpc-problem.ts";
import { explained } from "./sdk-refusal.ts";

export type McpParts = OlderEraParts & { log: Log };

/** The most streams without a call that one client may keep open. The door has 1,000 connections. */
const STREAMS_MAX = 100;

/** The end of a connection waits for the store. */
const STATUSES: typeof STATUS = { ...STATUS, STORE_UNAVAILABLE: 503 };

/** The MCP clients of all addresses. */
export class McpDoor implements AsyncDisposable {
  readonly #admitted: Admitted;
  readonly #older: OlderEra;
  readonly #newer: NewerEra;
  readonly #streams = new ClientStreams(STREAMS_MAX, "MCP streams");
  readonly #exchanges = new WeakMap<Request, Exchange>();

  constructor(parts: McpParts, admitted: Admitted) {
    this.#admitted = admitted;
    this.#older = new OlderEra(parts, this.#exchangeIn);
    this.#newer = new NewerEra(parts, this.#exchangeIn);
  }

  /** Answers a request whose client is admitted. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const exchange = exchangeOf(request, reply, this.#admitted.clientOf(request));
    this.#exchanges.set(exchange.web, exchange);
    let message: Message | undefined;
    try {
      message = request.method === "POST" ? messageIn(request.body as Uint8Array) : undefined;
      showTrace(exchange, reply, message);
      if (isLasting(request, message)) {
        this.#count(exchange);
        this.#admitted.watchOver(request, reply);
      }
      const era = (await isLegacyRequest(exchange.web, message)) ? this.#older : this.#newer;
      return sendAtOnce(reply, await explained(await era.answer(exchange, message)));
    } catch (error) {
      if (!isTroupeError(error)) throw error;
      throw new RpcProblem(STATUSES[error.type] ?? 400, RPC.refused, error, message && idOf(message));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#older[Symbol.asyncDispose](), this.#newer[Symbol.asyncDispose]()]);
  }

  /** Counts a stream until its answer is over. Throws BUSY if the client has as many as it may. */
  #count({ client, response }: Exchange): void {
    const stream = this.#streams.add(client.name);
    const ended = () => stream[Symbol.dispose]();
    if (response.closed) ended();
    else response.once("close", ended);
  }

  readonly #exchangeIn = ({ http }: McpRequest): Exchange => {
    const exchange = http && this.#exchanges.get(http);
    if (!exchange) throw new Error("a call without its HTTP request");
    return exchange;
  };
}

/** Sends the headers before the body has begun: a stream without messages stays empty for long. */
function sendAtOnce(reply: FastifyReply, response: Response): FastifyReply {
  const sent = reply.send(response);
  if (!reply.raw.headersSent) reply.raw.flushHeaders();
  return sent;
}

/** A client that traces its calls finds its own id in the reply. */
function showTrace({ givenId }: Exchange, reply: FastifyReply, message: Message | undefined): void {
  const trace = givenId === undefined ? traceIn(metaOf(message)) : undefined;
  if (trace !== undefined) reply.header(REQUEST_ID, trace);
}

/** The answer is a stream without a call. */
function isLasting({ method }: FastifyRequest, message: Message | undefined): boolean {
  return method === "GET" || (!Array.isArray(message) && message?.method === "subscriptions/listen");
}
