// Starts a daemon in the background and waits, by events, until it takes calls.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, watch } from "node:fs";
import { type ErrorData, fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { DAEMON_ARGUMENTS } from "../../proto/machine/daemon-arguments.ts";
import type { DaemonNote, DaemonStart, StateFiles } from "../../proto/machine/locations.ts";
import { ownPath } from "../../proto/machine/program.ts";
import { within } from "../../proto/machine/within.ts";
import { DEFAULT_ADDRESS } from "./address.ts";
import { type DaemonLog, openDaemonLog } from "./daemon-log.ts";
import { type DaemonAddress, readNote } from "./discovery.ts";
import { EXIT } from "./exit-code.ts";

export interface AutostartOptions {
  where: DaemonAddress;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The values of each `--role` that defines a role. */
  roles: readonly (readonly string[])[];
  /**
   * How the daemon that this process used before was started. Its sessions' roles are in that daemon's configuration.
   */
  before?: DaemonStart | undefined;
  idleExit: string;
  /** Reports progress in one line for people. */
  report?: ((line: string) => void) | undefined;
  /** Stops the waiting. The daemon continues. */
  signal?: AbortSignal;
  /** The path of the daemon's program. */
  program?: string;
  timeoutMs?: number;
}

/** How long a daemon started in the background outlives its last session by default. */
export const IDLE_EXIT = "30m";

const DAEMON_PROGRAM = ownPath("daemon/main.ts");
const START_TIMEOUT_MS = 30_000;
/** A daemon that finds another one at work ends at once. The other one may still be starting. */
const OTHER_DAEMON_MS = 5_000;
/** With these exit codes the daemon itself explains to people why it does not start. */
const REFUSALS: readonly (number | null)[] = [EXIT.usage, EXIT.unavailable, EXIT.configuration];
const RETRY_AFTER_MS = 5_000;
/** A person who waits for longer wants to know for what. */
const REPORT_AFTER_MS = 1_000;

/** Resolves when this daemon, or another one that was quicker, takes calls. Throws DAEMON_UNREACHABLE. */
export async function startDaemon(options: AutostartOptions): Promise<void> {
  const { where, report } = options;
  const slow = setTimeout(() => report?.(`starting a daemon (log: ${where.files.log})`), REPORT_AFTER_MS);
  try {
    await untilReady(options);
  } finally {
    clearTimeout(slow);
  }
  const note = readNote(where.files.note);
  if (note) report?.(startedText(note, options));
}

/** Says where the daemon's HTTP is, because that may be any free port, and if the client's folder gave it no roles. */
function startedText(
  { pid, http = [] }: DaemonNote,
  { where, roles, before, idleExit }: AutostartOptions,
): string {
  const at = http.length > 0 ? `HTTP at ${http.join(", ")}` : "HTTP off";
  const isBare = where.configFile === undefined && roles.length === 0 && before === undefined;
  const without = isBare ? " without a configuration (there is no troupe.yaml here or above)" : "";
  return `started a daemon${without} (process ${pid}, ${at}); it ends ${idleExit} after its last session`;
}

async function untilReady(options: AutostartOptions): Promise<void> {
  const { files } = options.where;
  using log = prepared(files);
  const child = launch(options, log);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = (reason: string, lastWords = "") => reject(notStarted(reason, lastWords));
  let deadline = setTimeout(giveUp, options.timeoutMs ?? START_TIMEOUT_MS, "it was not ready in time");
  let othersCount = false;
  const look = () => {
    const pid = readNote(files.note)?.pid;
    // An old note does not count, even if another process now has its id.
    if (pid !== undefined && (pid === child.pid || (othersCount && isAlive(pid)))) resolve();
  };
  const watcher = watch(files.dir, look);
  child.once("error", (error) => giveUp(error.message));
  child.once("exit", (code, signal) => {
    const reason = signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`;
    if (!REFUSALS.includes(code)) return giveUp(`${reason}; daemon.log in the state folder tells more`);
    if (code === EXIT.configuration) return reject(misconfigured(reason, log.lastWords()));
    if (code !== EXIT.unavailable) return giveUp(reason, log.lastWords());
    othersCount = true;
    clearTimeout(deadline);
    deadline = setTimeout(giveUp, OTHER_DAEMON_MS, reason, log.lastWords());
    look();
  });
  try {
    const aborted = () => notStarted("nobody waited for it any longer");
    await within({ signal: options.signal, aborted }, promise);
  } finally {
    clearTimeout(deadline);
    watcher.close();
    child.removeAllListeners("exit");
    child.unref();
  }
}

export function daemonArguments({
  where,
  roles,
  before,
  idleExit,
}: Pick<AutostartOptions, "where" | "roles" | "before" | "idleExit">) {
  const own = ["--idle-exit", idleExit, "--state-dir", where.files.dir];
  // The last of a flag that may be given once counts.
  if (before) return [...before.arguments, ...own];
  return [
    ...own,
    ...(where.configFile ? ["--config", where.configFile] : []),
    ...roles.flatMap((values) => ["--role", ...values]),
  ];
}

/** Makes the state folder and opens the log in it. */
function prepared({ dir, log }: StateFiles): DaemonLog {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return openDaemonLog(log);
  } catch (error) {
    throw notStarted(`the state folder cannot be used: ${(error as Error).message}`);
  }
}

function launch(options: AutostartOptions, log: DaemonLog): ChildProcess {
  const program = options.program ?? DAEMON_PROGRAM;
  return spawn(process.execPath, [...DAEMON_ARGUMENTS, program, ...daemonArguments(options)], {
    cwd: options.before?.cwd ?? options.cwd,
    env: options.env,
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
}

/** Returns true if a process with that id runs, whichever user owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    return true;
  }
}

function notStarted(reason: string, lastWords = ""): TroupeError {
  return fail("DAEMON_UNREACHABLE", dataOf(reason, lastWords));
}

/** Another try does not help before a person has corrected the configuration. */
function misconfigured(reason: string, lastWords: string): TroupeError {
  const mend = "correct the configuration, as the reason says";
  return fail("DAEMON_UNREACHABLE", { ...dataOf(reason, lastWords), mend, misconfigured: true });
}

function dataOf(reason: string, lastWords: string): ErrorData["DAEMON_UNREACHABLE"] {
  return {
    address: DEFAULT_ADDRESS,
    reason: `a daemon could not be started: ${reason}${lastWords ? `. It said: ${lastWords}` : ""}`,
    retryAfterMs: RETRY_AFTER_MS,
    effect: "none",
    neverConnected: true,
  };
}
