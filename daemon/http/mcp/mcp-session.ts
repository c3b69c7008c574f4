// One MCP session of the older era: a server, its transport, and the calls under way in it.
import {
  type JSONRPCErrorResponse,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { mcpServer } from "../../../proto/mcp/server.ts";
import type { McpRequest, ToolCaller } from "../../../proto/mcp/tool-caller.ts";
import type { Clock } from "../../core/clock.ts";
import type { Connection } from "./connection.ts";
import type { Exchange } from "./exchange.ts";
import { eachOf, type Message } from "./json-rpc.ts";
import { RPC, RpcProblem, wrong } from "./rpc-problem.ts";
import { type EventMemory, StreamEvents } from "./stream-events.ts";

export interface McpSessionParts {
  /** The name of the client that owns it. */
  client: string;
  connection: Connection;
  caller: ToolCaller;
  memory: EventMemory;
  clock: Clock;
  /** Its id, once it is initialized. */
  idToBe: string;
  /** Called when the session has its id. */
  began(session: McpSession): void;
  ended(session: McpSession): void;
}

/** The time after which a client should resume a stream that it lost. */
const RESUME_AFTER_MS = 1000;

export class McpSession {
  readonly client: string;
  readonly connection: Connection;
  readonly #events: StreamEvents;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #server: Server;
  readonly #clock: Clock;
  /** The ids of requests whose tools are at work. */
  readonly #calls = new Set<string | number>();
  /** The HTTP requests without a whole answer. */
  #open = 0;
  #usedAtMs: number;

  constructor({ client, connection, caller, memory, clock, idToBe, began, ended }: McpSessionParts) {
    this.client = client;
    this.connection = connection;
    this.#clock = clock;
    this.#usedAtMs = clock.steady();
    this.#events = new StreamEvents(memory, clock);
    this.#server = mcpServer(this.#watched(caller));
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => idToBe,
      eventStore: this.#events,
      retryInterval: RESUME_AFTER_MS,
      onsessioninitialized: () => began(this),
    });
    this.#server.onclose = () => {
      this.#events[Symbol.dispose]();
      ended(this);
    };
  }

  /** The id that the client sends with each request; undefined until it has initialized the session. */
  get id(): string | undefined {
    return this.#transport.sessionId;
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  /** The time at which it was used last, by the steady clock. An open stream and a call under way are use. */
  get usedAtMs(): number {
    return this.#open > 0 || this.hasCalls ? this.#clock.steady() : this.#usedAtMs;
  }

  /** Answers a request. Throws an RpcProblem for an id that another request under way has. */
  async answer({ web, response }: Exchange, message: Message | undefined): Promise<Response> {
    if (this.#transport.onmessage === undefined) await this.#server.connect(this.#transport);
    for (const { id, method } of message ? eachOf(message) : []) {
      if (method === undefined || !this.#calls.has(id as string | number)) continue;
      const error = wrong("id", "a request with this id is under way", "with an id of its own");
      throw new RpcProblem(400, RPC.invalidRequest, error, id as string | number);
    }
    this.#keepOpen(response);
    return await this.#transport.handleRequest(web, { parsedBody: message });
  }

  #keepOpen(response: Exchange["response"]): void {
    // A client may have left while its token was checked.
    if (response.closed) return;
    this.#open++;
    response.once("close", () => {
      this.#open--;
      this.#usedAtMs = this.#clock.steady();
    });
  }

  /** Goes on with a session that its client initialized at another daemon, with these parameters. */
  async resume(params: object): Promise<void> {
    await this.#server.connect(this.#transport);
    await this.#hear({ jsonrpc: "2.0", id: "resumed", method: "initialize", params });
    await this.#hear({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Takes a message as if the client had sent it here. */
  async #hear(parsedBody: object): Promise<void> {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.id !== undefined && { "mcp-session-id": this.id }),
    };
    const web = new Request("http://localhost/mcp", { method: "POST", headers });
    const response = await this.#transport.handleRequest(web, { parsedBody });
    await response.text();
  }

  /** Cancels its calls and ends its streams. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  #watched(caller: ToolCaller): ToolCaller {
    return {
      profile: caller.profile,
      asksPerson: caller.asksPerson ?? false,
      call: async (name, args, request) => {
        this.#calls.add(request.id);
        try {
          return await caller.call(name, args, request);
        } finally {
          this.#calls.delete(request.id);
          if (request.signal.aborted) this.#forget(request);
        }
      },
    };
  }

  /** The SDK does not answer a cancelled request. It would keep its stream open, and what it knows of the request. */
  #forget({ id }: McpRequest): void {
    this.#transport.closeSSEStream(id);
    const answer: JSONRPCErrorResponse = {
      jsonrpc: "2.0",
      id,
      error: { code: RPC.refused, message: "The client cancelled the request" },
    };
    // The stream is closed, so the client gets this only if it resumes the stream.
    this.#transport.send(answer).catch(() => "the session is over");
  }
}
