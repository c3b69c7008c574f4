// One running worker: process, connection and signs of life, from its start to its end.
import type {
  BrowserGone,
  FailureRecorded,
  RoleConfig,
  SessionRecord,
  StartResponse,
  StorageChanged,
} from "../../proto/gen/troupe.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { TraceRecord } from "../state/leftovers.ts";
import { WorkerLink } from "./worker-link.ts";
import { spawnWorker, type WorkerProcess, type WorkerSpawn } from "./worker-process.ts";

/** How long a worker may take for what. */
export interface WorkerTimes {
  listenMs: number;
  startMs: number;
  /** Between two heartbeats that are missed. */
  heartbeatMs: number;
  heartbeatsMissedMax: number;
  /** From SIGTERM to SIGKILL. */
  endMs: number;
}

export const WORKER_TIMES: WorkerTimes = {
  listenMs: 20_000,
  startMs: 60_000,
  heartbeatMs: 1000,
  heartbeatsMissedMax: 5,
  endMs: 5000,
};

/** Why a worker is no more. */
export interface WorkerEnd {
  kind: "worker-crashed" | "worker-hung" | "browser-crashed" | "browser-hung";
  reason: string;
}

/** What a worker is started with, and who hears of what it does. */
export interface WorkerPlan extends Omit<WorkerSpawn, "listenTimeoutMs" | "onLine" | "role"> {
  config: RoleConfig;
  sessions: SessionRecord[];
  times: WorkerTimes;
  traces: TraceRecord;
  clock: Clock;
  log: Log;
  onSession: (record: SessionRecord) => void;
  onStorage: (changed: StorageChanged) => void;
  onFailure: (failure: FailureRecorded) => void;
  onLogin: (login: string) => void;
}

/** A worker. */
export class Worker {
  readonly pid: number;
  readonly link: WorkerLink;
  /** Resolves when worker and browser are gone and nothing is left of them. */
  readonly ended: Promise<WorkerEnd>;
  /** It has ended, or has been told to end at once: no call may go to it any more. */
  dying = false;
  /** What the worker told when it was ready. */
  info: StartResponse | undefined;
  /** By session, who waits for all of it to be told. */
  readonly #told = new Map<string, PromiseWithResolvers<void>>();
  readonly #plan: WorkerPlan;
  readonly #process: WorkerProcess;
  #why: WorkerEnd | undefined;
  #heartbeatsMissed = 0;
  #heartbeatDue: Alarm | undefined;
  #isGone = false;

  /** Spawns the process. */
  constructor(plan: WorkerPlan) {
    this.#plan = plan;
    this.#process = spawnWorker(
      {
        ...plan,
        role: plan.config.name,
        listenTimeoutMs: plan.times.listenMs,
        onLine: (line) => this.#tell(line),
      },
      (traces) => plan.traces.add(traces),
    );
    this.pid = this.#process.pid;
    this.link = new WorkerLink(plan.socket);
    this.ended = this.#process.ended.then((reason) => this.#bury(reason));
  }

  /** Starts the role in it. Rejects with an Error or a ServiceError; the caller then ends the worker. */
  async start(): Promise<StartResponse> {
    const { config, sessions, times } = this.#plan;
    await this.#process.listening;
    // What goes wrong during the start, a login that cannot be loaded above all, is told once and only to who listens.
    await this.#watch();
    const info = await this.link.ask("Start", { role: config, sessions }, times.startMs);
    this.info = info;
    this.#expectHeartbeat();
    return info;
  }

  /**
   * `heard` resolves when the session has told all that it has stored, and that was heard here; it rejects where the worker
   * ends. Until it is disposed of.
   */
  told(key: string): Disposable & { heard: Promise<void> } {
    const told = Promise.withResolvers<void>();
    this.#told.set(key, told);
    // Who has no need of it does not wait for it.
    told.promise.catch(() => undefined);
    return { heard: told.promise, [Symbol.dispose]: () => void this.#told.delete(key) };
  }

  /** Ends it gently, then not. Resolves when it is gone. */
  async end(): Promise<void> {
    this.#process.signal("SIGTERM");
    const alarm = this.#plan.clock.after(this.#plan.times.endMs, () => this.kill());
    await this.ended;
    alarm.cancel();
  }

  /** Has it read the login's file again. */
  async reloadLogin(timeoutMs: number): Promise<void> {
    const { login } = await this.link.ask("ReloadLogin", {}, timeoutMs);
    this.#loginIs(login);
  }

  #loginIs(login: string): void {
    if (!this.info || this.info.login === login) return;
    this.info.login = login;
    this.#plan.onLogin(login);
  }

  /** Ends it at once. `why`: what is told of it, where its own death is not the reason. */
  kill(why?: WorkerEnd): void {
    this.#why ??= why;
    this.dying = true;
    this.#process.signal("SIGKILL");
  }

  /** Hears of what happens in it. Resolves with its first sign of life; rejects when it ended, or took too long. */
  #watch(): Promise<void> {
    const { onSession, onStorage, onFailure, log, clock, times } = this.#plan;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const alarm = clock.after(times.listenMs, () => reject(new Error("it gave no sign of life")));
    const events = this.link.watch();
    events.on("data", ({ session, storage, told, failure, login, browserGone }) => {
      resolve();
      this.#heartbeatsMissed = 0;
      if (session) onSession(session);
      if (storage) onStorage(storage);
      if (told) this.#told.get(told.key)?.resolve();
      if (failure) onFailure(failure);
      if (login) this.#loginIs(login.login);
      if (browserGone) this.kill(endOfBrowser(browserGone));
    });
    // A worker that no longer tells of itself is none: it must not go on unseen.
    events.on("error", (error) => {
      log.debug({ pid: this.pid, error: error.message }, "the worker's events broke off");
      reject(error);
      this.kill();
    });
    events.on("end", () => this.kill());
    return promise.finally(() => alarm.cancel());
  }

  /** Counts our own ticks, not time: a machine that slept has missed none of its worker's heartbeats. */
  #expectHeartbeat(): void {
    const { clock, times } = this.#plan;
    if (this.#isGone) return;
    this.#heartbeatDue = clock.after(times.heartbeatMs, () => {
      if (++this.#heartbeatsMissed <= times.heartbeatsMissedMax) return this.#expectHeartbeat();
      const seconds = (times.heartbeatMs * times.heartbeatsMissedMax) / 1000;
      this.kill({ kind: "worker-hung", reason: `it gave no sign of life for ${seconds} s` });
    });
  }

  async #bury(reason: string): Promise<WorkerEnd> {
    this.#isGone = true;
    this.dying = true;
    for (const { reject: broken } of this.#told.values()) broken(new Error("the worker has ended"));
    this.#heartbeatDue?.cancel();
    try {
      await this.#plan.traces.erase(this.#process.traces);
    } catch (error) {
      // The role goes on; what is left is recorded and swept by the next daemon.
      this.#plan.log.error(
        { err: error, role: this.#plan.config.name },
        "a worker's traces could not be removed",
      );
    }
    this.link[Symbol.dispose]();
    return this.#why ?? { kind: "worker-crashed", reason };
  }

  /** A line of the worker's own log is taken apart again; anything else is told as it is. */
  #tell(line: string): void {
    const { log, config } = this.#plan;
    const about = { role: config.name, worker: this.pid };
    const entry = parsed(line);
    if (!entry) {
      log.info({ ...about, line }, "worker says");
      return;
    }
    const { level, msg, time: _time, pid: _pid, hostname: _hostname, ...rest } = entry;
    const say = log[LEVELS[Number(level)] ?? "info"].bind(log);
    say({ ...about, ...rest }, String(msg ?? "worker says"));
  }
}

function endOfBrowser({ reason, hung }: BrowserGone): WorkerEnd {
  return hung
    ? { kind: "browser-hung", reason: `its browser hangs: ${reason}` }
    : { kind: "browser-crashed", reason: `its browser is gone: ${reason}` };
}

const LEVELS: Record<number, "trace" | "debug" | "info" | "warn" | "error"> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "error",
};

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
