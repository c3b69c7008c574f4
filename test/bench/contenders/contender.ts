/** A participant of the benchmark. It starts as its README says, with the same browser as all the others. */
import type { FoundBrowser } from "../../../worker/chrome/find-browser.ts";
import type { ContenderId } from "../results/results.ts";
import type { Dialect } from "./dialect.ts";
import type { McpServer } from "./mcp-server.ts";

export interface Contender {
  id: ContenderId;
  title: string;
  dialect: Dialect;
  /** Starts a server and all processes below it, from nothing. */
  start(signal: AbortSignal): Promise<Running>;
}

/** A running server with all that it started. Disposing of it ends all of that. */
export interface Running extends AsyncDisposable {
  server: McpServer;
  /** The path of its folder. */
  home: string;
}

/** The facts with which contenders start. */
export interface Surroundings {
  browser: FoundBrowser;
  /** The node_modules with the peers. */
  packagesDir: string;
  versions: Record<ContenderId, string>;
}

/** Returns the environment of a server. It has none of the user's settings. */
export function usualEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : [])),
  );
}
