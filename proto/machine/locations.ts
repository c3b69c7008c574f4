// Finds the places that daemon and clients share: the configuration file, the state folder, the socket.
import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** The facts that locations depend on. Flags come before the environment. */
export interface Surroundings {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** --config */
  config?: string;
  /** --state-dir */
  stateDir?: string;
}

export interface StateFiles {
  dir: string;
  socket: string;
  lock: string;
  /** The running daemon's facts as JSON: {@link DaemonNote}. */
  note: string;
  token: string;
  log: string;
  /** The history of calls, episodes and failures. */
  journal: string;
  /** The sessions and their storage, encrypted. */
  sessions: string;
  /** The evidence of recorded calls, encrypted. */
  evidence: string;
  /** The key that encrypts sessions and evidence if the configuration names none. */
  stateKey: string;
}

/** `daemon.json`: written when the daemon takes calls, removed when it ends. */
export interface DaemonNote {
  pid: number;
  /** The configuration's folder, or `default`. It distinguishes daemons for people. */
  project?: string;
  version: string;
  /** gRPC addresses, `unix:PATH` or `HOST:PORT`, the best for a local client first. */
  addresses: string[];
  /** HTTP addresses, `http://HOST:PORT`. */
  http: string[];
  /** The addresses at which other daemons call this one, `HOST:PORT`. Daemons of earlier versions do not note them. */
  peers?: string[];
  /** How the daemon was started. A client that replaces a dead daemon gives the next one the same configuration. */
  started?: DaemonStart;
}

/** The arguments of a daemon's command line, and the folder that their paths are relative to. */
export interface DaemonStart {
  arguments: string[];
  cwd: string;
}

/** A daemon's log that grows beyond this becomes FILE.1. */
export const DAEMON_LOG_BYTES_MAX = 5 * 2 ** 20;

const CONFIG_NAME = "troupe.yaml";

/**
 * Returns the configuration file: --config, TROUPE_CONFIG, else troupe.yaml here or in a parent. Undefined without one.
 */
export function findConfigFile({ cwd, env, config }: Surroundings): string | undefined {
  const named = config ?? env.TROUPE_CONFIG;
  if (named) return path.resolve(cwd, named);
  for (let dir = path.resolve(cwd); ; dir = path.dirname(dir)) {
    const file = path.join(dir, CONFIG_NAME);
    if (existsSync(file)) return file;
    if (dir === path.dirname(dir)) return undefined;
  }
}

/** Returns the state folder: --state-dir, TROUPE_STATE_DIR, else one for each configuration. */
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
    evidence: path.join(dir, "evidence.db"),
    stateKey: path.join(dir, "state.key"),
  };
}

/** The folder that holds the state folders of this user's programs. */
export function stateHome(env: Surroundings["env"]): string {
  return env.XDG_STATE_HOME || path.join(env.HOME || homeOf(), ".local", "state");
}

/** A user whom the machine does not know has no home, mostly in containers. The error then names --state-dir. */
function homeOf(): string {
  try {
    return homedir();
  } catch {
    return "/nonexistent";
  }
}

/** The configuration's folder, for people, and a digest of its real path, so that two projects never collide. */
function nameOf(configFile: string | undefined): string {
  if (!configFile) return "default";
  const real = existsSync(configFile) ? realpathSync(configFile) : configFile;
  const folder = path
    .basename(path.dirname(real))
    .replace(/[^\w.-]+/g, "-")
    .slice(0, 32);
  return `${folder}-${createHash("sha256").update(real).digest("hex").slice(0, 8)}`;
}
