// The protocol up to 2025-11-25 over HTTP: a client initializes a session and names it in each request.
import { SeenPages } from "../../../proto/calls/seen-pages.ts";
import { isTroupeError } from "../../../proto/errors/catalogue.ts";
import { keepNewest } from "../../../proto/machine/newest.ts";
import type { McpRequest } from "../../../proto/mcp/tool-caller.ts";
import { type Client, sessionKey } from "../../admission/client.ts";
import type { Clock } from "../../core/clock.ts";
import type { SessionLimits } from "../../sessions/session.ts";
import { takeFromRate } from "../refused-call.ts";
import { type Connection, connectionOf } from "./connection.ts";
import { type CallerParts, daemonCaller } from "./daemon-caller.ts";
import type { Exchange } from "./exchange.ts";
import { idOf, type Message, paramsOf } from "./json-rpc.ts";
import { McpSession } from "./mcp-session.ts";
import { McpSessions } from "./mcp-sessions.ts";
import { type Id, RPC, RpcProblem, wrong } from "./rpc-problem.ts";
import { type Beginning, SessionIds } from "./session-ids.ts";
import { EventMemory } from "./stream-events.ts";

export interface OlderEraParts extends CallerParts {
  limits: SessionLimits;
  /** Undefined for a daemon that is alone. */
  daemons: AmongDaemons | undefined;
  clock: Clock;
}

/** The requests of a session may come to any daemon of a store. */
export interface AmongDaemons {
  /** Signs the ids of sessions, which then live in all daemons. */
  idKeys(): readonly Buffer[];
  /**
   * Ends a browser session and the named ones beside it, wherever they are. Rejects with SESSION_EXPIRED if they have
   * ended since the database was asked.
   */
  closeSession(id: string, client: Client): Promise<void>;
}

/** Each may keep a stream open, and the door has 1,000 connections. */
const SESSIONS_MAX = 500;
/** The ended sessions that are remembered, so that a late request does not begin one again. */
const OVER_MAX = 10_000;

export class OlderEra implements AsyncDisposable {
  readonly #parts: OlderEraParts;
  readonly #exchangeOf: (request: McpRequest) => Exchange;
  readonly #sessions: McpSessions;
  readonly #memory = new EventMemory();
  readonly #ids: SessionIds;
  /** By id, the sessions that are brought here from other daemons. */
  readonly #resuming = new Map<string, Promise<McpSession | undefined>>();
  /** The ids of sessions that their clients ended here. */
  readonly #over = new Map<string, true>();

  constructor(parts: OlderEraParts, exchangeOf: (request: McpRequest) => Exchange, most = SESSIONS_MAX) {
    this.#parts = parts;
    this.#exchangeOf = exchangeOf;
    const { clock, limits, daemons } = parts;
    this.#ids = new SessionIds(daemons?.idKeys);
    this.#sessions = new McpSessions({ clock, limits, most, ended: (session) => this.#ended(session) });
  }

  /** Answers a request of the older era. Throws a Problem or an error of the catalogue. */
  async answer(exchange: Exchange, message: Message | undefined): Promise<Response> {
    const { web, client } = exchange;
    const id = web.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.#sessions.of(id, client) ?? (await this.#resumed(id, exchange));
      if (!session) throw notFound(message);
      const response = await session.answer(exchange, message);
      if (response.ok && isOwnStream(exchange)) this.#hold(session, exchange);
      if (response.ok && web.method === "DELETE") await this.#deleted(session, exchange);
      return response;
    }
    if (message === undefined || Array.isArray(message) || message.method !== "initialize")
      throw withoutSession(message);
    const { calls, accounts } = this.#parts;
    takeFromRate(calls, accounts, client);
    await this.#sessions.makeRoom(client);
    const params = paramsOf(message);
    const connection = connectionOf(exchange.request, client, params.clientInfo, "older");
    const idToBe = this.#ids.make({ client: client.name, connection, params });
    const session = this.#made(client, connection, idToBe);
    const response = await session.answer(exchange, message);
    // The request was none that initializes a session.
    if (session.id === undefined) await session.close();
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]();
  }

  #made(client: Client, connection: Connection, idToBe: string): McpSession {
    return new McpSession({
      idToBe,
      client: client.name,
      connection,
      caller: daemonCaller(this.#parts, connection, this.#exchangeOf),
      memory: this.#memory,
      clock: this.#parts.clock,
      began: (session) => this.#sessions.add(session),
      ended: (session) => this.#sessions.remove(session),
    });
  }

  /** Brings a session here that its client initialized at another daemon. Returns undefined if there is none. */
  async #resumed(id: string, { client }: Exchange): Promise<McpSession | undefined> {
    const beginning = this.#over.has(id) ? undefined : this.#ids.read(id);
    if (beginning?.client !== client.name) return undefined;
    const resuming = this.#resuming.get(id) ?? this.#resume(id, client, beginning);
    this.#resuming.set(id, resuming);
    return await resuming.finally(() => this.#resuming.delete(id));
  }

  async #resume(
    id: string,
    client: Client,
    { connection, params }: Beginning,
  ): Promise<McpSession | undefined> {
    await this.#sessions.makeRoom(client);
    const session = this.#made(client, { ...connection, seen: new SeenPages(), isResumable: true }, id);
    await session.resume(params);
    return this.#sessions.of(id, client);
  }

  /** Its stream shows that the client is there. A session that the client named outlives the connection. */
  #hold({ client, connection }: McpSession, { response }: Exchange): void {
    if (connection.isNamed || response.closed) return;
    response.once("close", this.#parts.accounts.sessions.hold(sessionKey(client, connection.base)));
  }

  /** The client has ended the session, wherever its browser sessions are. Rejects with STORE_UNAVAILABLE. */
  async #deleted({ connection }: McpSession, { web, client }: Exchange): Promise<void> {
    const { daemons } = this.#parts;
    if (!daemons) return;
    const id = web.headers.get("mcp-session-id") ?? "";
    keepNewest(this.#over, id, true, OVER_MAX);
    if (connection.isNamed) return;
    try {
      await daemons.closeSession(connection.base, client);
    } catch (error) {
      // The sessions have ended since the database was asked.
      if (isTroupeError(error) && error.type === "SESSION_EXPIRED") return;
      // The client can send the request again.
      this.#over.delete(id);
      throw error;
    }
  }

  /** A session that the client named outlives the connection. Among several daemons, others may have the connection. */
  #ended({ client, connection }: McpSession): void {
    if (!connection.isNamed && !this.#parts.daemons) this.#close(client, connection);
  }

  #close(client: string, connection: Connection): void {
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
