// The protocol from 2026-07-28 over HTTP: each request is alone and says who sends it.
import { CLIENT_INFO_META_KEY, createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { mcpServer } from "../../../proto/mcp/server.ts";
import type { McpRequest } from "../../../proto/mcp/tool-caller.ts";
import type { Log } from "../../core/log.ts";
import { type Connection, connectionOf } from "./connection.ts";
import { type CallerParts, daemonCaller } from "./daemon-caller.ts";
import type { Exchange } from "./exchange.ts";
import { type Message, metaOf } from "./json-rpc.ts";
import { checkParamHeaders } from "./param-header.ts";

/** The most streams of `subscriptions/listen` at once. */
const SUBSCRIPTIONS_MAX = 200;

export class NewerEra implements AsyncDisposable {
  readonly #handler: McpHttpHandler;
  readonly #connections = new WeakMap<Request, Connection>();

  constructor(parts: CallerParts & { log: Log }, exchangeOf: (request: McpRequest) => Exchange) {
    const { log } = parts;
    this.#handler = createMcpHandler(
      ({ requestInfo }) => mcpServer(daemonCaller(parts, this.#connectionOf(requestInfo), exchangeOf)),
      { legacy: "reject", maxSubscriptions: SUBSCRIPTIONS_MAX, onerror: (err) => log.debug({ err }, "MCP") },
    );
  }

  /** Answers a request of the newer era. Throws an RpcProblem for headers that contradict the body. */
  async answer({ request, client, web }: Exchange, message: Message | undefined): Promise<Response> {
    const { [CLIENT_INFO_META_KEY]: clientInfo } = metaOf(message);
    const connection = connectionOf(request, client, clientInfo, "newer");
    this.#connections.set(web, connection);
    if (message) checkParamHeaders(message, web.headers, connection.profile);
    return await this.#handler.fetch(web, { parsedBody: message });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handler.close();
  }

  #connectionOf(web: Request | undefined): Connection {
    const connection = web && this.#connections.get(web);
    if (!connection) throw new Error("a request without a connection");
    return connection;
  }
}
