// A whole Troupe for a test: the shop, a daemon with its own state folder, and MCP clients over the shim. It ends with
// the test.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { serveShop, storageStateFor } from "../../deploy/example/shop.ts";
import type { ErrorDetail } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { Lines } from "./events/lines.ts";
import { allStats, descendants, type ProcessStat, read } from "./proc.ts";

const CLI = fileURLToPath(new URL("../../client/cli.ts", import.meta.url));
/** The time allows for a browser's first start beside other tests on two cores. */
const READY_MS_MAX = 60_000;

/** A tool's reply as the MCP client received it. */
export interface Reply {
  text: string;
  isError: boolean;
  error: ErrorDetail | undefined;
  page:
    | { role: string; session: string; tab: string; url: string; title: string; snapshotId: number }
    | undefined;
  structured: Record<string, unknown> | undefined;
}

/** An MCP client over `troupe mcp`. */
export interface Agent extends AsyncDisposable {
  client: Client;
  call(tool: string, args?: JsonObject): Promise<Reply>;
  /** Returns the reply's text. Throws if the tool failed. */
  text(tool: string, args?: JsonObject): Promise<string>;
}

export interface Troupe extends AsyncDisposable {
  shopUrl: string;
  dir: string;
  stateDir: string;
  address: string;
  http: string;
  daemon: ChildProcess;
  /** The output of its daemons, with the log. */
  output: Lines;
  agent(...flags: string[]): Promise<Agent>;
  /** Starts a daemon in the same state folder, once the previous one has ended. Resolves when it is ready. */
  again(): Promise<void>;
  /**
   * The daemon and all processes below it, without clients. They have its state folder in their command or environment,
   * or are its children.
   */
  processes(): Process[];
}

export interface Process {
  pid: number;
  parent: number;
  command: string;
  environment: string;
}

/**
 * Starts the shop and a daemon with the example's three roles. `roles` are added; each may use the shop's address.
 * `settings` are further settings. `cli`: the program, such as the built one.
 */
export async function startTroupe({
  roles = {},
  settings = {},
  env = {},
  cli = CLI,
}: {
  roles?: JsonObject | ((shopUrl: string) => JsonObject);
  settings?: JsonObject;
  env?: NodeJS.ProcessEnv;
  cli?: string;
} = {}): Promise<Troupe> {
  await using open = new AsyncDisposableStack();
  const shop = open.use(await serveShop({ port: 0 }));
  const dir = await mkdtemp(path.join(tmpdir(), "troupe-e2e-"));
  open.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  await mkdir(path.join(dir, "auth"));
  for (const role of ["customer", "admin"] as const) {
    await writeFile(path.join(dir, `auth/${role}.json`), JSON.stringify(storageStateFor(role, shop.url)), {
      mode: 0o600,
    });
  }
  const file = path.join(dir, "troupe.yaml");
  const own = typeof roles === "function" ? roles(shop.url) : roles;
  const config = { http: "127.0.0.1:0", ...settings, roles: { ...rolesOf(shop.url), ...own } };
  await writeFile(file, JSON.stringify(config));
  const stateDir = path.join(dir, "state");
  const begun = () => {
    const child = spawn(process.execPath, [cli, "daemon", "--config", file, "--state-dir", stateDir], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...withoutTroupe(), ...env },
    });
    daemons.defer(() => ended(child));
    return child;
  };
  const daemons = open.use(new AsyncDisposableStack());
  const daemon = begun();
  const output = new Lines();
  const http = await ready(daemon, output);
  const agents = open.use(new AsyncDisposableStack());
  const address = `unix:${path.join(stateDir, "daemon.sock")}`;
  const parts = open.move();
  return {
    shopUrl: shop.url,
    dir,
    stateDir,
    address,
    http,
    daemon,
    output,
    agent: async (...flags) => agents.use(await connect(["--address", address, "--no-autostart", ...flags])),
    again: async () => {
      if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, "exit");
      await ready(begun(), output);
    },
    processes: () => processesOf(stateDir),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

function rolesOf(shopUrl: string): JsonObject {
  return {
    visitor: { startUrl: `${shopUrl}/` },
    customer: { startUrl: `${shopUrl}/account`, auth: "auth/customer.json", authRequired: true },
    admin: { startUrl: `${shopUrl}/admin`, auth: "auth/admin.json", authRequired: true },
  };
}

/** Removes Troupe's variables from the tests' environment, because they would change the results. */
function withoutTroupe(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("TROUPE_") || name === "TROUPE_BROWSER",
  );
  return Object.fromEntries(kept);
}

/** Resolves to the HTTP address when the daemon says that it is ready. */
async function ready(daemon: ChildProcess, lines: Lines): Promise<string> {
  const from = lines.all.length;
  for (const stream of [daemon.stdout, daemon.stderr]) if (stream) lines.read(stream);
  daemon.once("exit", (code) => lines.add(`the daemon ended with ${code ?? daemon.signalCode}`));
  const found = () => {
    const said = lines.all.slice(from).join("\n");
    if (daemon.exitCode !== null) throw new Error(said);
    return /is ready[\s\S]*HTTP\s+(http:\/\/[\w.:]+)/.exec(said)?.[1];
  };
  return await lines.after(found, "the daemon is ready", READY_MS_MAX);
}

async function ended(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exited = once(daemon, "exit");
  daemon.kill("SIGTERM");
  await exited;
}

async function connect(flags: string[]): Promise<Agent> {
  const client = new Client({ name: "test", version: "1" });
  const env = Object.fromEntries(
    Object.entries(withoutTroupe()).map(([name, value]) => [name, String(value)]),
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, "mcp", ...flags],
      stderr: "ignore",
      env,
    }),
  );
  const call = async (tool: string, args: JsonObject = {}): Promise<Reply> => {
    const result = await client.callTool({ name: tool, arguments: args }, undefined, {
      timeout: READY_MS_MAX,
    });
    return replyOf(result);
  };
  const text = async (tool: string, args?: JsonObject) => {
    const reply = await call(tool, args);
    if (reply.isError) throw new Error(`${tool} failed:\n${reply.text}`);
    return reply.text;
  };
  return { client, call, text, [Symbol.asyncDispose]: () => client.close() };
}

/** Returns a tool's result in the form that tests read. */
export function replyOf(result: Record<string, unknown>): Reply {
  const content = result.content as { text?: string }[];
  const meta = (result._meta ?? {}) as Record<string, unknown>;
  return {
    text: content.map(({ text = "" }) => text).join("\n"),
    isError: result.isError === true,
    error: meta["troupe.v1/error"] as ErrorDetail | undefined,
    page: meta["troupe.v1/page"] as Reply["page"],
    structured: result.structuredContent as Reply["structured"],
  };
}

/** Returns the ref on the first line with this role and name. */
export function refOf(snapshot: string, role: string, name: string): string {
  const wanted = `- ${role} ${JSON.stringify(name)}`;
  const line = snapshot.split("\n").find((each) => each.replace(/^[~+]?\s*/, "").startsWith(wanted));
  const ref = line && /\[ref=(\w+)\]/.exec(line)?.[1];
  if (!ref) throw new Error(`no ${wanted} in:\n${snapshot}`);
  return ref;
}

function processesOf(stateDir: string): Process[] {
  const all = allStats()
    .flatMap(processOf)
    .filter(({ command }) => !command.includes(`${CLI} mcp`));
  const ours = all
    .filter(({ environment, command }) => (environment + command).includes(stateDir))
    .map(({ pid }) => pid);
  return descendants(ours, all);
}

/** A process that ends during the look does not count. */
function processOf({ pid, parent, state }: ProcessStat): Process[] {
  if (state === "Z") return [];
  const [command, environment] = [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)];
  if (command === undefined || environment === undefined) return [];
  return [{ pid, parent, command: command.replaceAll("\0", " "), environment }];
}
