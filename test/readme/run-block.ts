// Runs one block of a page as its reader would: commands in a shell, settings by their loader, programs by Node.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { parse } from "yaml";
import { loadConfig } from "../../daemon/config/load.ts";
import type { Shell } from "../harness/reader/shell.ts";
import { type Block, ROOT } from "./pages.ts";

type Run = (block: Block, shell: Shell) => Promise<void> | void;

/** A block in another language must be in the table of those that are not run. */
export const runners: Readonly<Record<string, Run>> = {
  sh: runLines,
  yaml: load,
  json: async ({ text }, shell) => connectAll(JSON.parse(text), shell),
  ts: runProgram,
  python: async (block, shell) => {
    await shell.run(`python3 ${save(block, shell, "program.py")}`);
  },
};

/** A daemon that a block starts goes on until the page ends. */
async function runLines({ text }: Block, shell: Shell): Promise<void> {
  if (/^(?:\w+=\S+ )*troupe daemon\b/.test(text.trim().split("\n").at(-1) ?? ""))
    await shell.serve(text, /is ready/);
  else await shell.run(text);
}

/** YAML is the daemon's configuration, unless its name says something else. */
function load(block: Block, shell: Shell): void {
  const config = save(block, shell, "troupe.yaml");
  const flags = { listen: [], roles: [], example: false, config };
  if (path.basename(config) === "troupe.yaml") loadConfig({ flags, env: {}, cwd: shell.dir });
  else parse(block.text);
}

interface Server {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
}

/** Connects to each MCP server of a client's configuration, and lists its tools. */
async function connectAll(settings: Record<string, unknown>, shell: Shell): Promise<void> {
  const servers = (settings.mcpServers ?? settings.servers ?? {}) as Record<string, Server>;
  for (const [name, { command, args, env, url, headers }] of Object.entries(servers)) {
    const client = new Client({ name: "reader", version: "1" });
    const own = { ...(shell.env as Record<string, string>), ...env };
    await client.connect(
      url
        ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
        : new StdioClientTransport({
            command: command ?? name,
            args,
            env: own,
            cwd: shell.dir,
            stderr: "ignore",
          }),
    );
    await client.listTools();
    await client.close();
  }
}

async function runProgram(block: Block, shell: Shell): Promise<void> {
  const file = save(block, shell, "program.ts");
  await shell.run(`node --import ${path.join(ROOT, "test/harness/reader/as-package.ts")} ${file}`);
}

function save({ file, text }: Block, { dir }: Shell, otherwise: string): string {
  const saved = path.join(dir, file ?? otherwise);
  mkdirSync(path.dirname(saved), { recursive: true });
  writeFileSync(saved, text);
  return saved;
}
