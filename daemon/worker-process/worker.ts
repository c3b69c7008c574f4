// One running worker: its process, connection and heartbeats, from start to end.
import type {
  ApprovalAsked,
  ApprovalEnded,
  BrowserGone,
  CredentialAsked,
  EvidenceTaken,
  FailureRecorded,
  KeepAsked,
  RoleConfig,
  SessionRecord,
  StartResponse,
  StorageChanged,
  WatchWorkerResponse,
} from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { RoleCredentials } from "../credentials/role-credentials.ts";
import type { TraceRecord } from "../state/leftovers.ts";
import type { EarlyProcess } from "./early-process.ts";
import { WorkerLink } from "./worker-link.ts";
import { spawnWorker, type WorkerProcess, type WorkerSpawn } from "./worker-process.ts";
import type { WorkerTimes } from "./worker-times.ts";

/** `browser-disconnected`: the attached browser is gone. */
export interface WorkerEnd {
  kind: "worker-crashed" | "worker-hung" | "browser-crashed" | "browser-hung" | "browser-disconnected";
  reason: string;
}

/** The inputs of a worker, and the receivers of its events. */
export interface WorkerPlan extends Omit<WorkerSpawn, "listenTimeoutMs" | "onLine" | "role"> {
  config: RoleConfig;
  sessions: SessionRecord[];
  /** Sessions of an earlier worker live on, now or with their next calls. */
  restores: boolean;
  times: WorkerTimes;
  /** The process that started with the daemon, perhaps for this role. */
  early: Pick<EarlyProcess, "take"> | undefined;
  traces: TraceRecord;
  clock: Clock;
  log: Log;
  onSession: (record: SessionRecord) => void;
  onStorage: (changed: StorageChanged) => void;
  /** Resolves when what the worker reported of a session is kept, or cannot be. */
  whenKept: (key: string) => Promise<void>;
  onFailure: (failure: FailureRecorded) => void;
  onEvidence: (taken: EvidenceTaken) => void;
  onLogin: (login: string) => void;
  onApprovalAsked: (asked: ApprovalAsked) => void;
  onApprovalEnded: (ended: ApprovalEnded) => void;
  /** The browser that the worker is to be attached to seems to ask a person first. */
  onAsking: () => void;
  /** The values that the worker is given when it asks for them. */
  credentials: Pick<RoleCredentials, "known" | "read">;
}

const GIVE_MS_MAX = 5_000;
/** A person may have to allow the connection to a browser. The worker itself gives up before that. */
const ATTACH_MS_MAX = 11 * 60_000;

export class Worker {
  readonly pid: number;
  readonly link: WorkerLink;
  /** Resolves when worker and browser are gone and nothing is left of them. */
  readonly ended: Promise<WorkerEnd>;
  /** True if the worker has ended or was killed. It gets no more calls. */
  dying = false;
  /** The worker's report when it was ready. */
  info: StartResponse | undefined;
  /** By session, the callers that wait for all of its state. */
  readonly #reported = new Map<string, PromiseWithResolvers<void>>();
  readonly #plan: WorkerPlan;
  readonly #process: WorkerProcess;
  #why: WorkerEnd | undefined;
  #heartbeatsMissed = 0;
  #heartbeatDue: Alarm | undefined;
  #isGone = false;

  constructor(plan: WorkerPlan) {
    this.#plan = plan;
    const { name: role } = plan.config;
    const onLine = (line: string) => this.#logLine(line);
    this.#process =
      plan.early?.take(role, onLine) ??
      spawnWorker({ ...plan, role, listenTimeoutMs: plan.times.listenMs, onLine }, (traces) =>
        plan.traces.add(traces),
      );
    this.pid = this.#process.pid;
    this.link = new WorkerLink(this.#process.traces.socket);
    this.ended = this.#process.ended.then((reason) => this.#bury(reason));
  }

  /** Starts the role in the worker. Rejects with an Error or a ServiceError; the caller then ends the worker. */
  async start(): Promise<StartResponse> {
    const { config, sessions, times, credentials, restores } = this.#plan;
    const knowing = credentials.known({ restores });
    await this.#process.listening;
    // The worker reports a failure of its start, such as an unreadable login, only once and only to a watcher.
    await this.#watch();
    const secrets = await knowing;
    const isAttached = Boolean(config.browser?.connect);
    if (isAttached) this.#expectHeartbeat();
    const timeMs = isAttached ? Math.max(times.startMs, ATTACH_MS_MAX) : times.startMs;
    const info = await this.link.ask("Start", { role: config, sessions, secrets }, timeMs);
    this.info = info;
    if (!isAttached) this.#expectHeartbeat();
    return info;
  }

  /**
   * Returns `whole`, which resolves when the session's whole state has arrived here. It rejects if the worker ends. The
   * caller disposes of the result.
   */
  reported(key: string): Disposable & { whole: Promise<void> } {
    const reported = Promise.withResolvers<void>();
    this.#reported.set(key, reported);
    // A caller that does not need it does not await it.
    reported.promise.catch(() => undefined);
    return { whole: reported.promise, [Symbol.dispose]: () => void this.#reported.delete(key) };
  }

  /** Ends the worker with SIGTERM, later with SIGKILL. Resolves when it is gone. */
  async end(): Promise<void> {
    this.#process.signal("SIGTERM");
    const alarm = this.#plan.clock.after(this.#plan.times.endMs, () => this.kill());
    await this.ended;
    alarm.cancel();
  }

  /** Asks the worker to read the login file again. */
  async reloadLogin(timeoutMs: number): Promise<void> {
    const { login } = await this.link.ask("ReloadLogin", {}, timeoutMs);
    this.#loginIs(login);
  }

  #loginIs(login: string): void {
    if (!this.info || this.info.login === login) return;
    this.info.login = login;
    this.#plan.onLogin(login);
  }

  /** Kills the worker at once. `why` is the reported cause, if it is not the process's exit. */
  kill(why?: WorkerEnd): void {
    this.#why ??= why;
    this.dying = true;
    this.#process.signal("SIGKILL");
  }

  /** Receives the worker's events. Resolves at the first one. Rejects if the worker ended or took too long. */
  #watch(): Promise<void> {
    const { onSession, onStorage, onFailure, onEvidence, onAsking, log, clock, times } = this.#plan;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const events = this.link.watch();
    events.on("data", (event) => {
      const { session, storage, told, failure, login, browserGone, credentialAsked, asking, evidence } =
        event;
      resolve();
      this.#heartbeatsMissed = 0;
      if (session) onSession(session);
      if (storage) onStorage(storage);
      if (told) this.#reported.get(told.key)?.resolve();
      if (failure) onFailure(failure);
      if (evidence) onEvidence(evidence);
      if (login) this.#loginIs(login.login);
      if (credentialAsked) void this.#giveCredential(credentialAsked);
      if (event.keepAsked) void this.#confirmKept(event.keepAsked);
      if (asking) onAsking();
      this.#approvalOf(event);
      if (browserGone) this.kill(endOfBrowser(browserGone));
    });
    // A worker without its event stream is killed: it must not go on unsupervised.
    events.on("error", (error) => {
      log.debug({ pid: this.pid, error: error.message }, "the worker's events broke off");
      reject(error);
      this.kill();
    });
    events.on("end", () => this.kill());
    const late = () => new Error("it gave no sign of life");
    return within({ timeMs: times.listenMs, late, clock }, promise);
  }

  #approvalOf({ approvalAsked, approvalEnded }: WatchWorkerResponse): void {
    if (approvalAsked) this.#plan.onApprovalAsked(approvalAsked);
    if (approvalEnded) this.#plan.onApprovalEnded(approvalEnded);
  }

  async #giveCredential({ id, name }: CredentialAsked): Promise<void> {
    const { credentials, log, config } = this.#plan;
    try {
      const found = await credentials.read(name);
      await this.link.ask("GiveCredential", { id, ...found }, GIVE_MS_MAX);
    } catch (error) {
      // The worker's call ends by itself. A worker that has ended needs no value.
      log.warn({ err: error, role: config.name, credential: name }, "a credential did not reach its worker");
    }
  }

  async #confirmKept({ id, key }: KeepAsked): Promise<void> {
    const { whenKept, log, config } = this.#plan;
    try {
      await whenKept(key);
      await this.link.ask("ConfirmKept", { id }, GIVE_MS_MAX);
    } catch (error) {
      // The worker's call ends by itself.
      log.warn({ err: error, role: config.name }, "a worker did not learn what is kept");
    }
  }

  /** Counts ticks of its own, not time: after the machine slept, no heartbeat counts as missed. */
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
    for (const { reject: broken } of this.#reported.values()) broken(new Error("the worker has ended"));
    this.#heartbeatDue?.cancel();
    try {
      await this.#plan.traces.erase(this.#process.traces);
    } catch (error) {
      // The role goes on. The next daemon sweeps the recorded traces.
      this.#plan.log.error(
        { err: error, role: this.#plan.config.name },
        "a worker's traces could not be removed",
      );
    }
    this.link[Symbol.dispose]();
    return this.#why ?? { kind: "worker-crashed", reason };
  }

  /** Logs a line of the worker's own log with its fields, and any other line as it is. */
  #logLine(line: string): void {
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

function endOfBrowser({ reason, hung, attached }: BrowserGone): WorkerEnd {
  if (attached) return { kind: "browser-disconnected", reason: `its browser is not connected: ${reason}` };
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
