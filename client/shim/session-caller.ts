// Calls tools for an MCP client in the shim's sessions.
import { programName } from "../../proto/mcp/program-name.ts";
import type { ToolCaller } from "../../proto/mcp/tool-caller.ts";
import { CallError, reportOf } from "../connection/call-error.ts";
import type { SharedFolders } from "../files/shared-folders.ts";
import type { NamedSessions } from "../session/named-sessions.ts";
import type { Program } from "../session/program.ts";

/** `folders` gets the client's roots. `program` gets the client's name. `log` receives reports of unforeseen errors. */
export function sessionCaller(
  session: Pick<NamedSessions, "call" | "profile">,
  program: Program,
  folders: SharedFolders,
  log: (report: string) => void,
): ToolCaller {
  return {
    profile: session.profile,
    async call(name, args, { signal, requestId, clientInfo, roots }) {
      program.name ??= programName(clientInfo);
      folders.ask = roots;
      try {
        return { reply: await session.call(name, args, signal, requestId) };
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        const report = reportOf(error);
        if (report) log(report);
        return { failed: error.detail };
      }
    },
  };
}
