/**
 * The shim's server in this process. The official SDK's client calls it over memory, and it calls a daemon over gRPC.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { parseAddress } from "../../../client/connection/address.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { type SharedFolders, sharedAccess } from "../../../client/files/shared-folders.ts";
import { NamedSessions } from "../../../client/session/named-sessions.ts";
import type { SessionOptions } from "../../../client/session/session.ts";
import { sessionCaller } from "../../../client/shim/session-caller.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { mcpServer } from "../../../proto/mcp/server.ts";

export class McpSession implements AsyncDisposable {
  readonly client: Client;
  readonly link: DaemonLink;
  readonly session: NamedSessions;
  /** The lines that the server would have written to standard error. */
  readonly reports: string[] = [];

  static async start(address: string, options: Partial<SessionOptions> = {}): Promise<McpSession> {
    const state = stateFiles({ cwd: "/", env: {} });
    const link = new DaemonLink({ addresses: () => [parseAddress(address, "/", state)] });
    const folders: SharedFolders = { ask: undefined };
    const files = sharedAccess(undefined, "/", folders);
    const session = new NamedSessions({
      link,
      id: "test",
      profile: "core",
      newReader: true,
      files,
      ...options,
    });
    const started = new McpSession(link, session);
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const caller = sessionCaller({ session, program: {}, folders, asksPerson: false }, (report) =>
      started.reports.push(report),
    );
    await mcpServer(caller).connect(serverSide);
    await started.client.connect(clientSide);
    return started;
  }

  private constructor(link: DaemonLink, session: NamedSessions) {
    this.link = link;
    this.session = session;
    this.client = new Client({ name: "test", version: "1" });
  }

  async call(name: string, args?: Record<string, unknown>): Promise<CallToolResult> {
    return (await this.client.callTool({ name, ...(args && { arguments: args }) })) as CallToolResult;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.session.close(AbortSignal.timeout(1000)).catch(() => "the daemon may be gone");
    this.link.close();
  }
}
