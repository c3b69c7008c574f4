// Asks an MCP client of the older era for the folders that it shares. The newer era has no such question.
import { fileURLToPath } from "node:url";
import type { Server } from "@modelcontextprotocol/server";

const ASK_MS_MAX = 5_000;

/** Returns the folders; none if the client has no roots or does not answer. */
export async function rootsOf(server: Server): Promise<string[]> {
  if (!server.getClientCapabilities()?.roots) return [];
  try {
    const { roots } = await server.listRoots(undefined, { timeout: ASK_MS_MAX });
    return roots.flatMap(({ uri }) => folderOf(uri) ?? []);
  } catch {
    // A client that does not answer shares nothing. The tool's error names the folders, which are none then.
    return [];
  }
}

function folderOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
