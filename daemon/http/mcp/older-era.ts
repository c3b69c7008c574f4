// The protocol up to 2025-11-25 over HTTP: a client initializes a session and names it in each request.
import type { McpRequest } from "../../../proto/mcp/tool-caller.ts";
import { sessionKey } from "../../admission/client.ts";
import type { Clock } from "../../core/clock.ts";
import type { SessionLimits } from "../../sessions/session.ts";
import { takeFromRate } from "../refused-call.ts";
import { connectionOf } from "./connection.ts";
import { type CallerParts, daemonCaller } from "./daemon-caller.ts";
import type { Exchange } from "./exchange.ts";
import { idOf, type Message, paramsOf } from "./json-rpc.ts";
import { McpSession } from "./mcp-session.ts";
import { McpSessions } from "./mcp-sessions.ts";
import { type Id, RPC, RpcProblem, wrong } from "./rpc-problem.ts";
import { EventMemory } from "./stream-events.ts";

export interface OlderEraParts extends CallerParts {
  limits: SessionLimits;
  clock: Clock;
}

/** Each may keep a stream open, and the door has 1,000 connections. */
const SESSIONS_MAX = 500;

export class OlderEra implements AsyncDisposable {
  readonly #parts: OlderEraParts;
  readonly #exchangeOf: (request: McpRequest) => Exchange;
  readonly #sessions: McpSessions;
  readonly #memory = new EventMemory();

  constructor(parts: OlderEraParts, exchangeOf: (request: McpRequest) => Exchange, most = SESSIONS_MAX) {
    this.#parts = parts;
    this.#exchangeOf = exchangeOf;
    const { clock, limits } = parts;
    this.#sessions = new McpSessions({ clock, limits, most, ended: (session) => this.#ended(session) });
  }

  /** Answers a request of the older era. Throws a Problem or an error of the catalogue. */
  async answer(exchange: Exchange, message: Message | undefined): Promise<Response> {
    const { web, client } = exchange;
    const id = web.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#sessions.of(id, client);
      if (!session) throw notFound(message);
      const response = await session.answer(exchange, message);
      if (response.ok && isOwnStream(exchange)) this.#hold(session, exchange);
      return response;
    }
    if (message === undefined || Array.isArray(message) || message.method !== "initialize")
      throw withoutSession(message);
    const { calls, accounts } = this.#parts;
    takeFromRate(calls, accounts, client);
    await this.#sessions.makeRoom(client);
    const session = this.#begun(exchange, paramsOf(message).clientInfo);
    const response = await session.answer(exchange, message);
    // The request was none that initializes a session.
    if (session.id === undefined) await session.close();
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  #begun({ request, client }: Exchange, clientInfo: unknown): McpSession {
    const connection = connectionOf(request, client, clientInfo, "older");
    return new McpSession({
      client: client.name,
      connection,
      caller: daemonCaller(this.#parts, connection, this.#exchangeOf),
      memory: this.#memory,
      clock: this.#parts.clock,
      began: (session) => this.#sessions.add(session),
      ended: (session) => this.#sessions.remove(session),
    });
  }

  /** Its stream shows that the client is there. A session that the client named outlives the connection. */
  #hold({ client, connection }: McpSession, { response }: Exchange): void {
    if (connection.isNamed || response.closed) return;
    response.once("close", this.#parts.accounts.sessions.hold(sessionKey(client, connection.base)));
  }

  /** A session that the client named outlives the connection. */
  #ended({ client, connection }: McpSession): void {
    if (connection.isNamed) return;
    const { sessions } = this.#parts.accounts;
    const key = sessionKey(client, connection.base);
    const own = sessions.of({ key });
    if (own) sessions.close(own, "closed", "its client ended the connection");
    // If each call named a session, the connection has none of its own.
    sessions.closeBeside(key);
  }
}

/** The stream that a client keeps open for the server's own messages. A stream that is resumed ends with its call. */
function isOwnStream({ web }: Exchange): boolean {
  return web.method === "GET" && !web.headers.has("last-event-id");
}

function notFound(message: Message | undefined): RpcProblem {
  const error = wrong(
    "mcp-session-id",
    "session not found: the header Mcp-Session-Id names none of this client",
    "without that header, and with initialize as its method: it begins a session",
    "The session has ended, or the daemon was started again",
  );
  return new RpcProblem(404, RPC.sessionNotFound, error, messageId(message));
}

function withoutSession(message: Message | undefined): RpcProblem {
  const error = wrong(
    "mcp-session-id",
    "the header Mcp-Session-Id is missing, and the request does not initialize a session",
    "with the header Mcp-Session-Id of the answer to initialize",
  );
  return new RpcProblem(400, RPC.refused, error, messageId(message));
}

function messageId(message: Message | undefined): Id {
  return message ? idOf(message) : null;
}
