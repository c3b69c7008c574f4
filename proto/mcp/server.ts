// The MCP server: tools of the catalogue, errors as plans, progress and cancellation. It serves both protocol eras.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Server,
  type ServerOptions,
  type Tool,
} from "@modelcontextprotocol/server";
import { VERSION } from "../machine/version.ts";
import { mcpTools } from "../tools/tool-list.ts";
import type { JsonObject } from "../wire/struct.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { answeredByUser, linkForUser } from "./person-link.ts";
import { reportProgress } from "./progress.ts";
import { rootsOf } from "./roots.ts";
import type { ToolCaller } from "./tool-caller.ts";
import { errorResult, toolResult } from "./tool-result.ts";
import { traceIn } from "./trace.ts";

/** The tools of a profile change only with the version. Another token may see other tools. */
const CACHED: ServerOptions["cacheHints"] = {
  "tools/list": { ttlMs: 3_600_000, cacheScope: "private" },
  "server/discover": { ttlMs: 3_600_000, cacheScope: "private" },
};

/** Makes an MCP server that calls tools for one client. It does nothing until it is connected to a transport. */
export function mcpServer(caller: ToolCaller): Server {
  const server = new Server(
    { name: "troupe", title: "Troupe", version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, cacheHints: CACHED },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: [...mcpTools(caller.profile, caller)] as object[] as Tool[],
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq, http }) => {
    const { name, arguments: args = {}, _meta: meta } = params;
    const answered = answeredByUser(name, mcpReq.inputResponses);
    if (answered) return answered;
    const envelope = (mcpReq.envelope ?? {}) as Record<string, unknown>;
    const progress = reportProgress(meta?.progressToken, name, mcpReq.notify);
    try {
      const outcome = await caller.call(name, args as JsonObject, {
        id: mcpReq.id,
        signal: mcpReq.signal,
        requestId: traceIn(meta),
        roots: () => rootsOf(server),
        clientInfo: envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion(),
        http: http?.req,
      });
      if ("failed" in outcome) return errorResult(outcome.failed, caller.profile);
      const { reply } = outcome;
      const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
      return linkForUser(name, args.why, reply, capabilities) ?? toolResult(reply);
    } finally {
      progress.stop();
    }
  });
  return server;
}
