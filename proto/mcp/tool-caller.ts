// The part behind an MCP server: it calls tools for one client. The shim and the daemon each have one.
import type { ErrorDetail } from "../errors/catalogue.ts";
import type { Listing, Profile } from "../tools/read-tools.ts";
import type { Reply } from "../wire/reply.ts";
import type { JsonObject } from "../wire/struct.ts";

export interface ToolCaller extends Listing {
  /** The tools that the client is offered, and that plans may name. */
  readonly profile: Profile;
  call(name: string, args: JsonObject, request: McpRequest): Promise<Outcome>;
}

/** The facts of an MCP request beside its tool and its arguments. */
export interface McpRequest {
  /** The request's id in its connection. */
  id: string | number;
  /** Aborted when the client cancels the request, or when the connection ends. */
  signal: AbortSignal;
  /** The id of the call in logs, if the client traces its calls. */
  requestId: string | undefined;
  /** The client's name and version, as it gives them. */
  clientInfo: unknown;
  /** Returns the folders that a client of the older era shares (roots). */
  roots(): Promise<string[]>;
  /** The HTTP request that carries the call; undefined over stdio. */
  http: Request | undefined;
}

/** The reply of a tool, or its error. */
export type Outcome = { reply: Reply } | { failed: ErrorDetail };
