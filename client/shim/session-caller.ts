// Calls tools for an MCP client in the shim's sessions.
import { programName } from "../../proto/mcp/program-name.ts";
import type { ToolCaller } from "../../proto/mcp/tool-caller.ts";
import { CallError, reportOf } from "../connection/call-error.ts";
import type { SharedFolders } from "../files/shared-folders.ts";
import type { NamedSessions } from "../session/named-sessions.ts";
import type { Program } from "../session/program.ts";

export interface CallerParts {
  session: Pick<NamedSessions, "call" | "profile">;
  /** Gets the client's name. */
  program: Program;
  /** Gets the client's roots. */
  folders: SharedFolders;
  /** Profile core lists browser_ask_person. */
  asksPerson: boolean;
}

/** `log` receives reports of unforeseen errors. */
export function sessionCaller(
  { session, program, folders, asksPerson }: CallerParts,
  log: (report: string) => void,
): ToolCaller {
  return {
    profile: session.profile,
    asksPerson,
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
