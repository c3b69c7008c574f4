// Calls tools for an MCP client through the dispatcher, as every other door does.
import { Metadata } from "@grpc/grpc-js";
import { plainArguments } from "../../../proto/calls/plain-arguments.ts";
import { splitSession } from "../../../proto/calls/session-argument.ts";
import { toolNamed } from "../../../proto/calls/tool-call.ts";
import { detailOf, isTroupeError, type TroupeError } from "../../../proto/errors/catalogue.ts";
import type { McpRequest, Outcome, ToolCaller } from "../../../proto/mcp/tool-caller.ts";
import type { Tool } from "../../../proto/tools/read-tools.ts";
import * as headers from "../../../proto/wire/metadata.ts";
import { namedSessionId } from "../../../proto/wire/session-name.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { type Client, sessionKey } from "../../admission/client.ts";
import { firstRoleFor } from "../../admission/rights.ts";
import type { Calls } from "../../calls/execute.ts";
import { GONE } from "../../calls/in-flight-call.ts";
import { type AccountParts, recordRefusal, takeFromRate } from "../refused-call.ts";
import { type Reader, runTool } from "../run-tool.ts";
import type { Connection } from "./connection.ts";
import type { Exchange } from "./exchange.ts";

export interface CallerParts {
  calls: Calls;
  accounts: AccountParts;
  /** Profile core lists browser_ask_person. */
  asksPerson: boolean;
}

/** A call on its way from a connection: its arguments without `session`, and its session. */
interface NamedCall {
  name: string;
  args: JsonObject;
  /** The session's name beside the connection's own. */
  session: string | undefined;
  /** The reason that the name is not allowed. */
  refused?: TroupeError;
}

/** Makes the tool caller of a connection. `exchangeOf` returns the HTTP exchange that carries a call. */
export function daemonCaller(
  parts: CallerParts,
  connection: Connection,
  exchangeOf: (request: McpRequest) => Exchange,
): ToolCaller {
  return {
    profile: connection.profile,
    asksPerson: parts.asksPerson,
    async call(name, given, request) {
      const exchange = exchangeOf(request);
      const { gone, over } = goneSignal(request, exchange, connection.isResumable);
      try {
        const call = { name, ...inSession(plainArguments(given), connection.base) };
        return await outcomeOf(parts, connection, call, { exchange, request, gone });
      } finally {
        over();
      }
    },
  };
}

interface Carried {
  exchange: Exchange;
  request: McpRequest;
  gone: AbortSignal;
}

async function outcomeOf(
  parts: CallerParts,
  connection: Connection,
  call: NamedCall,
  { exchange, request, gone }: Carried,
): Promise<Outcome> {
  const { calls, accounts } = parts;
  const { name, args, refused } = call;
  const { client, isSent } = exchange;
  const metadata = metadataOf(connection, call, { exchange, request });
  const firstRole = connection.role;
  const found = toolOf(call, connection);
  if ("tool" in found) {
    const { maxTokens } = connection;
    const reader = readerOf(connection, call, client, accounts);
    const run = { tool: found.tool, args, maxTokens, reader, refused, metadata, firstRole, gone, isSent };
    return await runTool(calls, { ...run, client: () => client });
  }
  const failed = detailOf(found.unknown, failedCall(call, connection), accounts.clock.now());
  try {
    takeFromRate(calls, accounts, client);
    recordRefusal(accounts, metadata, { name, args, client, firstRole }, failed);
    return { failed };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return { failed: detailOf(error, failedCall(call, connection), accounts.clock.now()) };
  }
}

/** Each session of the connection has pages of its own. */
function readerOf(
  { seen, base, role }: Connection,
  { session }: NamedCall,
  client: Client,
  { sessions, supervisor }: AccountParts,
): Reader | undefined {
  if (!seen) return undefined;
  const key = sessionKey(client.name, sessionIdIn(base, session));
  const first = firstRoleFor(client, role, supervisor.names, true);
  return { seen, session: session ?? "", role: sessions.of({ key })?.currentRole ?? first ?? "" };
}

/** Returns the id of the connection's own session, or of the one that the call names. */
function sessionIdIn(base: string, name: string | undefined): string {
  return name === undefined ? base : namedSessionId(base, name);
}

function inSession(args: JsonObject, base: string): Omit<NamedCall, "name"> {
  try {
    return splitSession(args, base);
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return { args, session: undefined, refused: error };
  }
}

function toolOf(
  { name, args }: NamedCall,
  { profile }: Connection,
): { tool: Tool } | { unknown: TroupeError } {
  try {
    return { tool: toolNamed(name, profile, args) };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return { unknown: error };
  }
}

/** The call's metadata, as a gRPC client would send it. */
function metadataOf(
  { base, profile, maxTokens, program }: Connection,
  { session }: NamedCall,
  { exchange, request }: Pick<Carried, "exchange" | "request">,
): Metadata {
  const id = sessionIdIn(base, session);
  const resume = exchange.request.headers[headers.RESUME];
  const entries = {
    // A name that is not allowed is refused like a missing one.
    [headers.SESSION]: headers.SESSION_ID.test(id) ? id : "",
    [headers.NAMED_SESSION]: session,
    [headers.PROGRAM]: program,
    [headers.PROFILE]: profile,
    [headers.MAX_TOKENS]: maxTokens?.toString(),
    [headers.REQUEST_ID]: exchange.givenId ?? request.requestId ?? exchange.request.id,
    [headers.RESUME]: resume === headers.RESUMES_ONCE ? resume : undefined,
  };
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) metadata.set(name, value);
  return metadata;
}

function failedCall({ name, args, session }: NamedCall, { base, profile }: Connection) {
  const { tab } = args;
  return {
    tool: name,
    arguments: args,
    profile,
    role: "",
    session: base,
    ownSession: session,
    tab: typeof tab === "string" ? tab : "",
  };
}

interface GoneSignal {
  gone: AbortSignal;
  /** Called when the call is over. */
  over(): void;
}

/**
 * In the newer era a dropped connection cancels its call. In the older one the call goes on, because the client may
 * resume the stream. After the call, a drop only means that the client may lack the reply.
 */
function goneSignal({ signal }: McpRequest, { dropped }: Exchange, isResumable: boolean): GoneSignal {
  const gone = new AbortController();
  const end = () => gone.abort(GONE);
  const ends = isResumable ? [signal] : [signal, dropped];
  for (const each of ends) {
    if (each.aborted) end();
    each.addEventListener("abort", end, { once: true });
  }
  const over = () => {
    // The SDK aborts it after every answer.
    signal.removeEventListener("abort", end);
    if (dropped.aborted) end();
    else dropped.addEventListener("abort", end, { once: true });
  };
  return { gone: gone.signal, over };
}
