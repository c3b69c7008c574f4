// Runs one worker as a process with a minimal environment. It dies if the daemon dies.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { makeTemporaryFolder } from "../../proto/machine/temporary-folder.ts";
import { within } from "../../proto/machine/within.ts";
import { dyingWithUs, type ProgramCommand } from "../core/dying-with-us.ts";
import { TMP_PREFIX, type WorkerTraces } from "../state/leftovers.ts";
import { onLines } from "./lines.ts";

/** The worker program and its first arguments; `--role` and `--socket` follow. */
export type WorkerCommand = ProgramCommand;

export interface WorkerProcess {
  pid: number;
  traces: WorkerTraces;
  /** Resolves when the worker takes gRPC calls. Rejects if it ended before or took too long. */
  listening: Promise<void>;
  /** The way it ended, in words. */
  ended: Promise<string>;
  signal(name: NodeJS.Signals): void;
}

export interface WorkerSpawn {
  command: WorkerCommand;
  role: string;
  stateDir: string;
  socket: string;
  env: NodeJS.ProcessEnv;
  logLevel: string;
  onLine: (line: string) => void;
  listenTimeoutMs: number;
}

/** The line that a worker prints when its socket is bound. */
const LISTENING = "listening";
/** The variables that a worker gets from the daemon's environment. The daemon's secrets are not among them. */
const PASSED =
  /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|XDG_CACHE_HOME|XDG_CONFIG_HOME|CHROME_CONFIG_HOME|XDG_RUNTIME_DIR|DISPLAY|WAYLAND_DISPLAY|LD_LIBRARY_PATH|FONTCONFIG_\w+|SSL_CERT_\w+|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|NODE_COMPILE_CACHE|OTEL_\w+|TROUPE_BROWSER)$/;

/** Starts a worker's process. `record` stores its traces before the process can leave any. */
export function spawnWorker(options: WorkerSpawn, record: (traces: WorkerTraces) => void): WorkerProcess {
  const traces = { socket: options.socket, tmpDir: makeTmpDir() };
  record(traces);
  const [program, args] = dyingWithUs(options.command, options.env);
  const child = spawn(program, [...args, "--role", options.role, "--socket", options.socket], {
    // Its input ends with the daemon, also before the daemon watches it.
    stdio: ["pipe", "pipe", "pipe"],
    // The worker leads its own process group, so that all its children can be ended with it.
    detached: true,
    env: {
      ...Object.fromEntries(Object.entries(options.env).filter(([name]) => PASSED.test(name))),
      TROUPE_STATE_DIR: options.stateDir,
      TMPDIR: traces.tmpDir,
      TROUPE_LOG_LEVEL: options.logLevel,
    },
  });
  const ended = endOf(child);
  const listening = listens(child, ended, options);
  // The caller that waits for it sees the rejection. Without one, `ended` reports the same.
  listening.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    traces,
    listening,
    ended,
    signal: (name) => void child.kill(name),
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`its process could not be started: ${error.message}`));
    child.once("exit", (code, signal) =>
      resolve(signal ? `its process was ended by ${signal}` : `its process ended with exit code ${code}`),
    );
  });
}

function listens(
  child: ChildProcess,
  ended: Promise<string>,
  { onLine, listenTimeoutMs }: WorkerSpawn,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  ended.then((reason) => reject(new Error(reason)), reject);
  if (child.stdout) {
    onLines(child.stdout, (line) => {
      if (line === LISTENING) resolve();
      else onLine(line);
    });
  }
  if (child.stderr) onLines(child.stderr, onLine);
  const late = () => new Error(`its process did not listen within ${listenTimeoutMs / 1000} s`);
  return within({ timeMs: listenTimeoutMs, late }, promise);
}

function makeTmpDir(): string {
  const dir = makeTemporaryFolder(TMP_PREFIX);
  // If the daemon runs as root, Chrome runs as another user. That user must reach its profile in this folder.
  if (process.getuid?.() === 0) chmodSync(dir, 0o711);
  return dir;
}
