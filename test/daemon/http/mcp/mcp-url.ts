// MCP clients that connect by URL: the official ones of both protocol eras, and one that sends exactly what a test says.
import { readFileSync } from "node:fs";
import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerTransport,
} from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type RestReply, type RestRequest, restClient } from "../../../harness/rest.ts";

export type Era = "older" | "newer";
export const ERAS: readonly Era[] = ["older", "newer"];

export interface UrlOptions {
  /** The query of the URL. */
  query?: string;
  headers?: Record<string, string>;
  /** The program's name. */
  name?: string;
  /** The client shows links to its user, who decides like this. */
  opens?: (link: { url: string; message: string }) => UserDecision;
}

export type UserDecision = "accept" | "decline" | "cancel";

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number }) => void;
}

export interface UrlClient extends AsyncDisposable {
  /** The `Mcp-Session-Id` of the older era. */
  sessionId: string | undefined;
  version: string | undefined;
  instructions: string | undefined;
  list(): Promise<{ name: string; inputSchema: object }[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<CallToolResult>;
  /** Ends the session in the server, as the older era can. */
  terminate(): Promise<void>;
}

export interface McpUrl {
  token: string;
  connect(era: Era, options?: UrlOptions): Promise<UrlClient>;
  /** Sends one request with the headers that every client sends. A header with the value undefined is not sent. */
  send(body: unknown, request?: RestRequest & { path?: string }): Promise<RestReply>;
}

export const NEWER = "2026-07-28";
export const OLDER = "2025-11-25";

/** Reaches the daemon with that HTTP address and token file. */
export function mcpUrl(address: string, tokenFile: string): McpUrl {
  const token = readFileSync(tokenFile, "utf8").trim();
  const rest = restClient(address, tokenFile);
  return {
    token,
    async connect(era, { query = "", headers = {}, name = "test", opens } = {}) {
      const url = new URL(`/mcp${query}`, address);
      const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
      return era === "older"
        ? await older(url, requestInit, name, opens)
        : await newer(url, requestInit, name, opens);
    },
    send: (body, { path = "/mcp", headers, ...more } = {}) =>
      rest.send(path, {
        method: "POST",
        body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        ...more,
      }),
  };
}

type Init = { headers: Record<string, string> };

const OPENS_LINKS = { elicitation: { url: {} } };

async function older(
  url: URL,
  requestInit: Init,
  name: string,
  opens: UrlOptions["opens"],
): Promise<UrlClient> {
  const client = new OlderClient({ name, version: "1" }, { capabilities: opens ? OPENS_LINKS : {} });
  if (opens)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: opens(params as Link) }));
  const transport = new OlderTransport(url, { requestInit });
  await client.connect(transport as never);
  return {
    sessionId: transport.sessionId,
    version: transport.protocolVersion,
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (tool, args = {}, options = {}) =>
      (await client.callTool({ name: tool, arguments: args }, undefined, options)) as CallToolResult,
    terminate: () => transport.terminateSession(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

type Link = Parameters<NonNullable<UrlOptions["opens"]>>[0];

async function newer(
  url: URL,
  requestInit: Init,
  name: string,
  opens: UrlOptions["opens"],
): Promise<UrlClient> {
  const client = new NewerClient(
    { name, version: "1" },
    { versionNegotiation: { mode: { pin: NEWER } }, capabilities: opens ? OPENS_LINKS : {} },
  );
  if (opens)
    client.setRequestHandler("elicitation/create", ({ params }) => ({ action: opens(params as Link) }));
  await client.connect(new NewerTransport(url, { requestInit }));
  return {
    sessionId: undefined,
    version: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    list: async () => (await client.listTools()).tools,
    call: async (tool, args = {}, options = {}) =>
      (await client.callTool({ name: tool, arguments: args }, options)) as CallToolResult,
    terminate: async () => undefined,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** A request of the newer era, with the facts that each of them carries. */
export function newerRequest(method: string, params: object = {}, meta: object = {}): object {
  const about = {
    "io.modelcontextprotocol/protocolVersion": NEWER,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...about, ...meta } } };
}

export function newerHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": NEWER,
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
}

/** A request of the older era. */
export function olderRequest(method: string, params: object = {}, id: number | string = 1): object {
  return { jsonrpc: "2.0", id, method, params };
}

export const INITIALIZE = olderRequest("initialize", {
  protocolVersion: OLDER,
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
});
