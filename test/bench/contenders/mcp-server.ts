/** One MCP server over stdio, started from nothing, with its own folder. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { ToolCall } from "./dialect.ts";

export interface ServerCommand {
  program: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** A server's answer, and its duration. */
export interface Answer {
  text: string;
  ms: number;
}

/** It is several times what the slowest peer needs for the largest page. */
const CALL_MS_MAX = 60_000;

export class McpServer implements AsyncDisposable {
  readonly #client: Client;
  /** From the start of the process to the end of the MCP handshake. */
  readonly connectMs: number;

  static async start({ program, args, env, cwd }: ServerCommand, signal: AbortSignal): Promise<McpServer> {
    const client = new Client({ name: "troupe-bench", version: "1" });
    const transport = new StdioClientTransport({ command: program, args, env, cwd, stderr: "ignore" });
    const startedAt = performance.now();
    await client.connect(transport, { signal, timeout: CALL_MS_MAX });
    return new McpServer(client, performance.now() - startedAt);
  }

  private constructor(client: Client, connectMs: number) {
    this.#client = client;
    this.connectMs = connectMs;
  }

  /**
   * Makes the calls one after another. The time is that of all calls, and the text is the last one's. Throws a tool's
   * refusal.
   */
  async call(calls: readonly ToolCall[], signal: AbortSignal): Promise<Answer> {
    let text = "";
    const startedAt = performance.now();
    for (const each of calls) {
      const result = await this.#client.callTool({ ...each }, undefined, { signal, timeout: CALL_MS_MAX });
      const content = result.content as { text?: string }[];
      text = content.map((part) => part.text ?? "").join("\n");
      if (result.isError) throw new Error(text);
    }
    return { text, ms: performance.now() - startedAt };
  }

  /** Returns the size of the whole tools/list. */
  async toolListCharacters(): Promise<number> {
    const tools: unknown[] = [];
    for (let cursor: string | undefined, page = 0; page < TOOL_PAGES_MAX; page++) {
      const list = await this.#client.listTools(cursor === undefined ? {} : { cursor });
      tools.push(...list.tools);
      cursor = list.nextCursor;
      if (cursor === undefined) break;
    }
    return JSON.stringify({ tools }).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}

const TOOL_PAGES_MAX = 20;
