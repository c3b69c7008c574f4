/** Whoever takes part: how it is started, the way its README says, with the same browser as all the others. */
import type { FoundBrowser } from "../../../worker/chrome/find-browser.ts";
import type { ContenderId } from "../results.ts";
import type { Dialect } from "./dialect.ts";
import type { McpServer } from "./mcp-server.ts";

export interface Contender {
  id: ContenderId;
  title: string;
  dialect: Dialect;
  /** A server and all below it, from nothing. */
  start(signal: AbortSignal): Promise<Running>;
}

/** A server that runs, with all that it started; disposing of it ends all of that. */
export interface Running extends AsyncDisposable {
  server: McpServer;
  /** Where its folder is. */
  home: string;
}

/** What contenders are started with. */
export interface Surroundings {
  browser: FoundBrowser;
  /** The node_modules with the peers. */
  packagesDir: string;
  versions: Record<ContenderId, string>;
}

/** What a server is to know of whoever runs the benchmark: no settings. */
export function usualEnvironment(): Record<string, string> {
  const kept = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : [])),
  );
}
