// The process of a role's worker that starts beside the daemon, before a call needs it. Both take a while to load.
import path from "node:path";
import type { DaemonConfig } from "../config/load.ts";
import type { Log } from "../core/log.ts";
import type { TraceRecord } from "../state/leftovers.ts";
import { spawnWorker, type WorkerCommand, type WorkerProcess, type WorkerSpawn } from "./worker-process.ts";
import type { WorkerTimes } from "./worker-times.ts";

/** The parts of the daemon's surroundings that the process starts with. */
interface EarlyParts {
  worker: WorkerCommand;
  times: WorkerTimes;
  env: NodeJS.ProcessEnv;
  traces: TraceRecord;
  log: Log;
}

/**
 * It waits without a browser until its role starts. If it fails or another role starts before, its role's start gets
 * another process.
 */
export class EarlyProcess implements AsyncDisposable {
  readonly #role: string;
  /** Undefined once it was taken or is to end. */
  #waiting: WorkerProcess | undefined;
  #isTaken = false;
  #onLine: (line: string) => void;
  #over: Promise<void> | undefined;

  /** Starts it for the role of most calls if a client started the daemon: its first call is about to come. */
  static begin(
    { roles: [first], idleExitMs, state: { dir: stateDir }, log: { level: logLevel } }: DaemonConfig,
    { worker: command, times, env, traces, log }: EarlyParts,
  ): EarlyProcess | undefined {
    if (idleExitMs === undefined || !first) return undefined;
    const socket = path.join(stateDir, "w0.sock");
    const spawn = { command, role: first.name, stateDir, socket, env, logLevel };
    return new EarlyProcess({ ...spawn, listenTimeoutMs: times.listenMs }, traces, log);
  }

  private constructor(spawn: Omit<WorkerSpawn, "onLine">, traces: TraceRecord, log: Log) {
    const { role } = spawn;
    this.#role = role;
    this.#onLine = (line) => log.info({ role, line }, "worker says");
    try {
      const started = spawnWorker({ ...spawn, onLine: (line) => this.#onLine(line) }, (left) =>
        traces.add(left),
      );
      this.#waiting = started;
      // Its bound began with the daemon. A role that starts after it has a right to its own.
      started.listening.catch(() => this.kill());
      this.#over = started.ended.then((reason) => this.#bury(started, reason, traces, log));
    } catch (err) {
      // The role's own start fails for the same reason, and reports it.
      log.debug({ err, role }, "no worker could be started early");
    }
  }

  /**
   * Returns the process if it is this role's and still waits. `onLine` gets its further lines. If another role starts
   * first, the guess was wrong, and the process ends.
   */
  take(role: string, onLine: (line: string) => void): WorkerProcess | undefined {
    if (role !== this.#role) this.kill();
    const taken = this.#waiting;
    if (!taken) return undefined;
    this.#waiting = undefined;
    this.#isTaken = true;
    this.#onLine = onLine;
    return taken;
  }

  /** Kills the process if it still waits. */
  kill(): void {
    this.#waiting?.signal("SIGKILL");
    this.#waiting = undefined;
  }

  /** Resolves when the process is gone, unless it was taken. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isTaken) return;
    this.kill();
    await this.#over;
  }

  async #bury(ended: WorkerProcess, reason: string, traces: TraceRecord, log: Log): Promise<void> {
    if (this.#isTaken) return;
    this.#waiting = undefined;
    log.debug({ role: this.#role, reason }, "an early worker ended before its role started");
    try {
      await traces.erase(ended.traces);
    } catch (err) {
      // The next daemon sweeps the recorded traces.
      log.error({ err, role: this.#role }, "a worker's traces could not be removed");
    }
  }
}
