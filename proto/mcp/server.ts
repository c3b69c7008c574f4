// The MCP server: tools of the catalogue, errors as plans, progress and cancellation. It serves both protocol eras.
import { CLIENT_INFO_META_KEY, Server, type ServerOptions, type Tool } from "@modelcontextprotocol/server";
import { VERSION } from "../machine/version.ts";
import { mcpTools } from "../tools/tool-list.ts";
import type { JsonObject } from "../wire/struct.ts";
import { INSTRUCTIONS } from "./instructions.ts";
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
    tools: [...mcpTools(caller.profile)] as object[] as Tool[],
  }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq, http }) => {
    const { name, arguments: args = {}, _meta: meta } = params;
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
      return "reply" in outcome ? toolResult(outcome.reply) : errorResult(outcome.failed, caller.profile);
    } finally {
      progress.stop();
    }
  });
  return server;
}
