/** Troupe as an MCP client starts it: the shim, which starts a daemon. */
import { writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readNote } from "../../../client/connection/discovery.ts";
import { allGone } from "../../harness/proc.ts";
import { type Contender, type Running, type Surroundings, usualEnvironment } from "./contender.ts";
import * as dialects from "./dialect.ts";
import { end, temporaryHome } from "./home.ts";
import { McpServer, type ServerCommand } from "./mcp-server.ts";

export const troupe = ({ versions }: Surroundings): Contender => ({
  id: "troupe",
  title: `Troupe ${versions.troupe}`,
  dialect: dialects.troupe,
  start,
});

/** Starts a further client of a running Troupe, whose daemon and role are there already. */
export async function joinTroupe({ home }: Running, signal: AbortSignal): Promise<McpServer> {
  return await McpServer.start(command(home, ["--no-autostart"]), signal);
}

/** Returns the state folder of a Troupe. */
export const troupeStateDir = ({ home }: Running) => path.join(home, "state");

/** A role like the default one, but without a warm session. */
export const UNPREPARED_ROLE = "unprepared";

/** The program as the package has it, which `npm run bench` builds first. */
export const TROUPE = fileURLToPath(new URL("../../../dist/client/cli.js", import.meta.url));

async function start(signal: AbortSignal): Promise<Running> {
  await using open = new AsyncDisposableStack();
  const { dir } = open.use(await temporaryHome());
  const roles = { default: {}, [UNPREPARED_ROLE]: { prepare: false } };
  await writeFile(path.join(dir, "troupe.yaml"), JSON.stringify({ http: "127.0.0.1:0", roles }));
  open.defer(() => endDaemon(path.join(dir, "state")));
  // A killed run must not leave a daemon behind for long.
  const server = open.use(await McpServer.start(command(dir, ["--idle-exit", "30s"]), signal));
  const parts = open.move();
  return { server, home: dir, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

function command(home: string, args: string[]): ServerCommand {
  const named = process.env.TROUPE_BROWSER && { TROUPE_BROWSER: process.env.TROUPE_BROWSER };
  const env = { TROUPE_CONFIG: path.join(home, "troupe.yaml"), TROUPE_STATE_DIR: path.join(home, "state") };
  return {
    program: process.execPath,
    args: [TROUPE, "mcp", ...args],
    env: { ...usualEnvironment(), ...env, ...named },
    cwd: home,
  };
}

/**
 * Ends the daemon of a state folder, if one runs: its socket proves that the noted process is the daemon. Resolves when
 * that process has ended, because it tidies up until then.
 */
async function endDaemon(stateDir: string): Promise<void> {
  const note = readNote(path.join(stateDir, "daemon.json"));
  if (!note) return;
  const { promise: runs, resolve } = Promise.withResolvers<boolean>();
  const socket = net.connect(path.join(stateDir, "daemon.sock"), () => resolve(true));
  // The refusal means that the daemon has just ended by itself.
  socket.once("error", () => resolve(false));
  socket.resume();
  if (!(await runs)) return;
  end(note.pid, "SIGTERM");
  await allGone([note.pid]);
}
