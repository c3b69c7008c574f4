// The MCP server: tools of the catalogue, errors as plans, progress and cancellation.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { VERSION } from "../../proto/machine/version.ts";
import { mcpTools } from "../../proto/tools/tool-list.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { CallError, reportOf } from "../connection/call-error.ts";
import type { NamedSessions } from "../session/named-sessions.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { reportProgress } from "./progress.ts";
import { errorResult, toolResult } from "./tool-result.ts";

/**
 * Makes an MCP server that calls tools in the sessions of one connection. It does nothing until it is connected to a transport. `log`
 * receives reports of unforeseen errors.
 */
export function mcpServer(
  session: Pick<NamedSessions, "call" | "profile">,
  log: (report: string) => void,
): Server {
  const server = new Server(
    { name: "troupe", title: "Troupe", version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const tools = mcpTools(session.profile);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const progress = reportProgress(params._meta?.progressToken, params.name, sendNotification);
    try {
      return toolResult(await session.call(params.name, (params.arguments ?? {}) as JsonObject, signal));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const report = reportOf(error);
      if (report) log(report);
      return errorResult(error.detail, session.profile);
    } finally {
      progress.stop();
    }
  });
  return server;
}
