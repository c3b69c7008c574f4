/** A real `troupe mcp` process with the official SDK's client. */
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ErrorDetail } from "../../../proto/errors/catalogue.ts";

export const CLI = path.join(import.meta.dirname, "../../../client/cli.ts");

export class McpProcess implements AsyncDisposable {
  readonly client: Client;
  readonly transport: StdioClientTransport;

  static async start(args: readonly string[], env: Record<string, string> = {}): Promise<McpProcess> {
    const started = new McpProcess(args, env);
    await started.client.connect(started.transport);
    return started;
  }

  private constructor(args: readonly string[], env: Record<string, string>) {
    this.client = new Client({ name: "test", version: "1" });
    this.transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, "mcp", ...args],
      env: { ...(process.env as Record<string, string>), ...env },
      stderr: "ignore",
    });
  }

  async call(name: string, args?: Record<string, unknown>): Promise<CallToolResult> {
    return (await this.client.callTool({ name, ...(args && { arguments: args }) })) as CallToolResult;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

export function textOf({ content }: CallToolResult): string {
  return content.map((each) => (each.type === "text" ? each.text : "")).join("\n");
}

export function errorOf(result: CallToolResult): ErrorDetail {
  return result._meta?.["troupe.v1/error"] as ErrorDetail;
}
