// Starts a role's workers, one after another, as the role's state machine decides.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Alarm } from "../core/clock.ts";
import type { InFlightCounter } from "../core/in-flight-counter.ts";
import type { RoleCredentials } from "../credentials/role-credentials.ts";
import { Worker, type WorkerEnd } from "../worker-process/worker.ts";
import { workerConfig } from "../worker-process/worker-config.ts";
import type { RoleApprovals } from "./role-approvals.ts";
import type { RoleFailures } from "./role-failures.ts";
import { hasNextWorker, nextState, type RoleEvent, type RoleMachineState } from "./role-machine.ts";
import { ASKING, endpointOf } from "./role-message.ts";
import type { SessionRecords } from "./session-records.ts";
import { startFailure } from "./start-failure.ts";
import type { PlannedReason, RestartReason, RoleView, Supervision } from "./supervision.ts";
import { unavailable, type WaitingRoom } from "./waiting-room.ts";

/** The parts of the role that outlive its workers. */
export interface WorkedRole extends RoleView {
  readonly sessions: SessionRecords;
  readonly failures: RoleFailures;
  readonly credentials: RoleCredentials;
  readonly approvals: RoleApprovals;
  /** The calls under way in the worker. */
  readonly calls: InFlightCounter;
  /** The calls that wait for the worker. */
  readonly waiting: WaitingRoom;
}

export class WorkerStarter {
  restarts = 0;
  /** True once a first start has succeeded or failed. */
  tried = false;
  readonly #role: WorkedRole;
  readonly #with: Supervision;
  #stand: RoleMachineState = { state: "STOPPED", crashes: [] };
  #alarm: Alarm | undefined;
  #current: Worker | undefined;
  /** The reason for the planned end of the current worker. */
  #planned: PlannedReason = "requested";
  /** The reason for the end of the worker before this one. */
  #endedBy: RestartReason | undefined;
  /** The starting worker waits until a person allows it to connect to the browser. */
  #isAsking = false;

  constructor(role: WorkedRole, supervision: Supervision) {
    this.#role = role;
    this.#with = supervision;
  }

  get stand(): RoleMachineState {
    return this.#stand;
  }

  /** The process, ready or not. */
  get current(): Worker | undefined {
    return this.#current;
  }

  get isAsking(): boolean {
    return this.#stand.state === "STARTING" && this.#isAsking;
  }

  /** The worker that takes calls. */
  get ready(): Worker | undefined {
    return this.#stand.state === "READY" && !this.#current?.dying ? this.#current : undefined;
  }

  /** Ends the worker between calls and starts another. */
  replace(why: PlannedReason): void {
    this.#planned = why;
    this.apply({ event: "endAsked", next: "STARTING" });
  }

  apply(event: RoleEvent): void {
    const { policy, clock, observer, log } = this.#with;
    const before = this.#stand;
    this.#stand = nextState(before, event, { policy, nowMs: clock.steady(), jitter: Math.random() });
    const stand = this.#stand;
    if (stand === before) return;
    this.#alarm?.cancel();
    if ("retryAtMs" in stand)
      this.#alarm = clock.after(stand.retryAtMs - clock.steady(), () => this.apply({ event: "retryDue" }));
    const reason = "reason" in stand && { reason: stand.reason };
    log.info({ role: this.#role.name, state: stand.state, ...reason }, "role");
    this.#enter(stand);
    observer.changed(this.#role);
  }

  /** Returns the error for calls, with the time of the next try. */
  unavailable(): TroupeError {
    const { name: role, settings } = this.#role;
    if (!this.isAsking) return unavailable(role, this.#stand, this.#with.clock.steady());
    const endpoint = endpointOf(settings);
    return fail("CHROME_NOT_CONNECTED", { role, endpoint, reason: ASKING, effect: "none", asks: true });
  }

  #enter(stand: RoleMachineState): void {
    const { waiting } = this.#role;
    switch (stand.state) {
      case "STARTING":
        if (this.#endedBy) {
          this.restarts++;
          this.#with.observer.restarted(this.#role, this.#endedBy);
        }
        void this.#start(stand);
        break;
      case "READY":
        if (this.#current) waiting.admit(this.#current);
        break;
      case "DRAINING":
        if (!hasNextWorker(stand)) waiting.startsNoMore();
        void this.#drain(stand.next === "STOPPED");
        break;
      case "BACKING_OFF":
        waiting.startsNoMore();
        break;
      case "FAILED":
        waiting.reject(this.unavailable());
        break;
      case "STOPPED":
        break;
    }
  }

  async #start(stand: RoleMachineState): Promise<void> {
    const { clock, observer, starts } = this.#with;
    const { sessions, waiting } = this.#role;
    using _place = await starts.enter(waiting);
    // The role was ended or started again meanwhile.
    if (this.#stand !== stand) return;
    const beganMs = clock.steady();
    let worker: Worker | undefined;
    try {
      worker = this.#spawn();
      await worker.start();
      if (this.#current !== worker || this.#stand.state !== "STARTING") return;
      this.tried = true;
      observer.started(this.#role, clock.steady() - beganMs);
      this.apply({ event: "started" });
      await sessions.workerReady(worker);
    } catch (error) {
      if (this.#current === worker && this.#stand.state === "STARTING") this.#startFailed(worker, error);
    }
  }

  #spawn(): Worker {
    const { nextSocket, limits, daemonPorts, observer, evidence } = this.#with;
    const { settings, sessions, failures, approvals } = this.#role;
    const held = sessions.begin();
    const worker = new Worker({
      ...this.#with,
      socket: nextSocket(),
      config: workerConfig(settings, limits.callTimeout, daemonPorts()),
      sessions: held,
      restores: held.length > 0 || this.#role.hibernated > 0,
      credentials: this.#role.credentials,
      onSession: (record) => sessions.changed(record),
      onStorage: (changed) => sessions.storageChanged(changed),
      whenKept: (key) => sessions.whenKept(key),
      onFailure: (failure) => {
        failures.add(failure);
        observer.failed(this.#role, failure);
      },
      onEvidence: (taken) => evidence.taken(settings.name, taken),
      onLogin: (login) => {
        if (login === "logged in") failures.loginWorks();
        observer.changed(this.#role);
      },
      onApprovalAsked: (asked) => {
        approvals.asked(asked);
        observer.approvalAsked(this.#role, asked);
      },
      onApprovalEnded: (ended) => approvals.over(ended),
      onAsking: () => this.#asks(),
    });
    this.#current = worker;
    this.#isAsking = false;
    // A new worker reads the login again and reports if that fails.
    failures.loginWorks();
    void worker.ended.then((end) => this.#gone(worker, end));
    return worker;
  }

  #asks(): void {
    const { log, observer } = this.#with;
    const { name: role, settings } = this.#role;
    this.#isAsking = true;
    log.warn({ role, endpoint: endpointOf(settings) }, ASKING);
    observer.changed(this.#role);
  }

  /** A worker that gives a reason could not start. A worker that breaks has died. */
  #startFailed(worker: Worker | undefined, cause: unknown): void {
    const { log } = this.#with;
    const { name: role, waiting } = this.#role;
    const failure = startFailure(cause, role);
    const { reason } = failure;
    this.tried = true;
    if (failure.error) {
      const { error, event } = failure;
      this.#current = undefined;
      this.#endedBy = "start-failed";
      worker?.kill();
      log.warn({ role, type: error.type, reason }, "the role did not start");
      this.apply(event);
      waiting.reject(error);
    } else if (worker) {
      worker.kill(reason === undefined ? undefined : { kind: "worker-crashed", reason });
    } else {
      log.error({ role, reason }, "no process could be started");
      this.apply({ event: "died", reason: "its process could not be started" });
    }
  }

  #gone(worker: Worker, end: WorkerEnd): void {
    if (this.#current !== worker) return;
    this.#current = undefined;
    const { name: role, sessions, failures, approvals, waiting } = this.#role;
    const { state } = this.#stand;
    const isPlanned = state === "DRAINING";
    this.#endedBy = isPlanned ? this.#planned : end.kind;
    sessions.workerGone(isPlanned ? this.#planned : end, state === "READY");
    approvals.workerGone();
    failures.workerGone(isPlanned ? undefined : end);
    if (isPlanned) {
      this.apply({ event: "ended" });
      return;
    }
    this.tried = true;
    if (end.kind === "browser-disconnected") {
      this.#with.log.warn({ role, worker: worker.pid, ...end }, "a worker lost its browser");
      this.apply({ event: "disconnected", reason: end.reason });
      // The callers of this start decide about another one, which would ask a person again.
      if (state === "STARTING") waiting.reject(lostAtStart(this.#role));
      // A call may have come while the worker was ending.
      else if (waiting.neededSinceMs !== undefined) this.apply({ event: "needed" });
      return;
    }
    this.#with.log.error({ role, worker: worker.pid, ...end }, "a worker died");
    this.apply({ event: "died", reason: end.reason });
  }

  async #drain(isAtOnce: boolean): Promise<void> {
    const worker = this.#current;
    if (!worker) {
      this.apply({ event: "ended" });
      return;
    }
    const { drain, callTimeout } = this.#with.limits;
    // A replacement that no operator asked for must not break off calls.
    const isOurs = this.#planned === "memory" || this.#planned === "age";
    if (!isAtOnce) await this.#role.calls.within(isOurs ? Math.max(drain, callTimeout) : drain);
    await worker.end();
  }
}

function lostAtStart({ name: role, settings }: RoleView): TroupeError {
  const reason = "the connection to it was lost while the role started";
  return fail("CHROME_NOT_CONNECTED", { role, endpoint: endpointOf(settings), reason, effect: "none" });
}
