/** The peers are MCP servers from npm. Each has the flags that its README names for its own headless browser. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { FoundBrowser } from "../../../worker/chrome/find-browser.ts";
import { type Contender, type Surroundings, usualEnvironment } from "./contender.ts";
import * as dialects from "./dialect.ts";
import { temporaryHome } from "./home.ts";
import { McpServer, type ServerCommand } from "./mcp-server.ts";

export function peers(surroundings: Surroundings): Contender[] {
  const { versions } = surroundings;
  return [
    peer(
      { id: "playwright", title: `Playwright MCP ${versions.playwright}`, dialect: dialects.playwright },
      playwrightCommand(surroundings),
    ),
    peer(
      {
        id: "chrome-devtools",
        title: `chrome-devtools-mcp ${versions["chrome-devtools"]}`,
        dialect: dialects.chromeDevtools,
      },
      chromeDevtoolsCommand(surroundings),
    ),
    peer(
      {
        id: "agent-browser",
        title: `agent-browser ${versions["agent-browser"]}`,
        dialect: dialects.agentBrowser,
      },
      agentBrowserCommand(surroundings),
    ),
  ];
}

type CommandOf = (home: string) => ServerCommand;

function peer(as: Omit<Contender, "start">, command: CommandOf): Contender {
  return {
    ...as,
    async start(signal) {
      await using open = new AsyncDisposableStack();
      const { dir } = open.use(await temporaryHome());
      await mkdir(path.join(dir, "tmp"));
      const server = open.use(await McpServer.start(command(dir), signal));
      const { goodbye } = as.dialect;
      // A dead server does not answer. Its folder ends the processes that it started.
      if (goodbye) open.defer(() => server.call(goodbye, AbortSignal.timeout(10_000)).then(nothing, nothing));
      const parts = open.move();
      return { server, home: dir, [Symbol.asyncDispose]: () => parts.disposeAsync() };
    },
  };
}

const nothing = () => {};

function playwrightCommand({ browser, packagesDir }: Surroundings): CommandOf {
  const program = path.join(packagesDir, "@playwright/mcp/cli.js");
  const sandbox = isRoot() ? ["--no-sandbox"] : [];
  const args = ["--headless", "--isolated", "--executable-path", browser.executable, ...sandbox];
  return (home) => nodeCommand([program, ...args], peerEnvironment(home, browser), home);
}

function chromeDevtoolsCommand({ browser, packagesDir }: Surroundings): CommandOf {
  const program = path.join(packagesDir, "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js");
  const sandbox = isRoot() ? ["--chromeArg=--no-sandbox"] : [];
  const args = ["--headless", "--isolated", "--executablePath", browser.executable, "--no-usage-statistics"];
  const quiet = { CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS: "1" };
  return (home) =>
    nodeCommand([program, ...args, ...sandbox], { ...peerEnvironment(home, browser), ...quiet }, home);
}

function agentBrowserCommand({ browser, packagesDir }: Surroundings): CommandOf {
  const program = path.join(packagesDir, "agent-browser/bin/agent-browser.js");
  const own = {
    AGENT_BROWSER_EXECUTABLE_PATH: browser.executable,
    AGENT_BROWSER_IDLE_TIMEOUT: "10m",
    ...(isRoot() && { AGENT_BROWSER_ARGS: "--no-sandbox" }),
  };
  return (home) => nodeCommand([program, "mcp"], { ...peerEnvironment(home, browser), ...own }, home);
}

const nodeCommand = (args: string[], env: Record<string, string>, cwd: string): ServerCommand => ({
  program: process.execPath,
  args,
  env,
  cwd,
});

/** Peers write all their files into their folder. */
function peerEnvironment(home: string, { env }: FoundBrowser): Record<string, string> {
  return { ...usualEnvironment(), HOME: home, TMPDIR: path.join(home, "tmp"), ...env };
}

/** Chrome refuses its sandbox to root, and peers do not run it as another user. */
const isRoot = () => process.getuid?.() === 0;
