// Where daemon and clients find each other: the configuration file, the state folder, the socket.
import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** What the locations depend on. Flags come before the environment. */
export interface Surroundings {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** --config */
  config?: string;
  /** --state-dir */
  stateDir?: string;
}

/** The files of a state folder. */
export interface StateFiles {
  dir: string;
  socket: string;
  lock: string;
  /** What the running daemon says of itself, as JSON: {@link DaemonNote}. */
  note: string;
  token: string;
  log: string;
  /** The history of calls, episodes and failures. */
  journal: string;
  /** The sessions, and what their storage holds, encrypted. */
  sessions: string;
  /** The key that encrypts them where the configuration names none. */
  stateKey: string;
}

/** `daemon.json`: written when the daemon takes calls, removed when it ends. */
export interface DaemonNote {
  pid: number;
  version: string;
  /** gRPC addresses, `unix:PATH` or `HOST:PORT`, the best for a local client first. */
  addresses: string[];
  /** HTTP addresses, `http://HOST:PORT`. */
  http: string[];
  /** How it was started: whoever replaces it, should it die, gives the next one the same configuration. */
  started?: DaemonStart;
}

/** The arguments of a daemon's command line, and the folder that their paths are relative to. */
export interface DaemonStart {
  arguments: string[];
  cwd: string;
}

/** A daemon's log that has grown larger becomes FILE.1. */
export const DAEMON_LOG_BYTES_MAX = 5 * 2 ** 20;

const CONFIG_NAME = "troupe.yaml";
/** The longest path that a unix socket can have (sun_path less its end). */
export const SOCKET_PATH_BYTES_MAX = 107;

/** The configuration file: --config, TROUPE_CONFIG, else troupe.yaml here or in a parent; undefined without one. */
export function findConfigFile({ cwd, env, config }: Surroundings): string | undefined {
  const named = config ?? env.TROUPE_CONFIG;
  if (named) return path.resolve(cwd, named);
  for (let dir = path.resolve(cwd); ; dir = path.dirname(dir)) {
    const file = path.join(dir, CONFIG_NAME);
    if (existsSync(file)) return file;
    if (dir === path.dirname(dir)) return undefined;
  }
}

/** The state folder: --state-dir, TROUPE_STATE_DIR, else one of its own for each configuration. */
export function stateFiles(
  surroundings: Surroundings,
  configFile = findConfigFile(surroundings),
): StateFiles {
  const { cwd, env } = surroundings;
  const named = surroundings.stateDir ?? env.TROUPE_STATE_DIR;
  const dir = named ? path.resolve(cwd, named) : path.join(stateHome(env), "troupe", nameOf(configFile));
  return {
    dir,
    socket: path.join(dir, "daemon.sock"),
    lock: path.join(dir, "lock.db"),
    note: path.join(dir, "daemon.json"),
    token: path.join(dir, "token"),
    log: path.join(dir, "daemon.log"),
    journal: path.join(dir, "journal.db"),
    sessions: path.join(dir, "sessions.db"),
    stateKey: path.join(dir, "state.key"),
  };
}

function stateHome(env: Surroundings["env"]): string {
  return env.XDG_STATE_HOME || path.join(env.HOME || homeOf(), ".local", "state");
}

/** A user whom the machine does not know (a container's, mostly) has no home: what is refused then names --state-dir. */
function homeOf(): string {
  try {
    return homedir();
  } catch {
    return "/nonexistent";
  }
}

/** The configuration's folder, for people, and a digest of its real path, so that two projects never meet. */
function nameOf(configFile: string | undefined): string {
  if (!configFile) return "default";
  const real = existsSync(configFile) ? realpathSync(configFile) : configFile;
  const folder = path
    .basename(path.dirname(real))
    .replace(/[^\w.-]+/g, "-")
    .slice(0, 32);
  return `${folder}-${createHash("sha256").update(real).digest("hex").slice(0, 8)}`;
}
