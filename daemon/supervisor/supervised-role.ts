// Supervises one role: executes the decisions of the role's state machine, and keeps the state that outlives workers.

import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { RoleSettings } from "../config/load.ts";
import type { Alarm } from "../core/clock.ts";
import { InFlightCounter } from "../core/in-flight-counter.ts";
import type { Session } from "../sessions/sessions.ts";
import { Worker, type WorkerEnd } from "../worker-process/worker.ts";
import { workerConfig } from "../worker-process/worker-config.ts";
import { RoleFailures } from "./role-failures.ts";
import { hasNextWorker, nextState, type RoleEvent, type RoleMachineState } from "./role-machine.ts";
import { type RestRequest, SessionRecords } from "./session-records.ts";
import { type StartFailure, startFailure } from "./start-failure.ts";
import type { PlannedReason, RestartReason, RoleView, Supervision } from "./supervision.ts";
import { RETRY_AFTER_START_MS, unavailable } from "./unavailable.ts";
import { type Patience, WaitingRoom } from "./waiting-room.ts";

const ASK_TIMEOUT_MS = 5000;
/** The worker gives up sooner on pages that do not respond. */
const COLLECTED_MS_MAX = 15_000;

/** A role and its worker. */
export class SupervisedRole implements RoleView {
  settings: RoleSettings;
  /** The state of the role's sessions, independent of the worker that runs them. */
  readonly sessions: SessionRecords;
  /** The number of unplanned deaths of ready workers. Sessions that were in the role must learn of each. */
  deaths = 0;
  restarts = 0;
  lastEnd: WorkerEnd | undefined;
  /** True once a first start has succeeded or failed. */
  tried = false;
  /** The time by the steady clock since clients wait for a worker. */
  neededSinceMs: number | undefined;
  /** Returns the number of sessions. The owner of the slots sets it. */
  census: RoleView["census"] = () => ({ awake: 0, resting: 0 });
  /** The role's failures, with those of dead workers. */
  readonly failures: RoleFailures;
  readonly #with: Supervision;
  readonly #waiting: WaitingRoom;
  readonly #calls: InFlightCounter;
  /** Sessions that ended before the worker that restores them was ready. */
  readonly #overMeanwhile = new Set<string>();
  #stand: RoleMachineState = { state: "STOPPED", crashes: [] };
  #worker: Worker | undefined;
  #alarm: Alarm | undefined;
  #endedBy: RestartReason | undefined;
  /** The reason for the planned end of the current worker. */
  #planned: PlannedReason = "requested";
  /** The worker that is to be replaced at the next moment without a call. */
  #recycling: Worker | undefined;
  #ending = false;

  constructor(settings: RoleSettings, supervision: Supervision) {
    this.settings = settings;
    const { journal, kept, clock, log } = supervision;
    this.sessions = new SessionRecords(settings.name, kept, log);
    this.failures = new RoleFailures({ role: settings.name, worker: () => this.worker, journal, clock, log });
    this.#with = supervision;
    this.#waiting = new WaitingRoom(supervision.clock, () => hasNextWorker(this.#stand));
    this.#calls = new InFlightCounter(supervision.clock);
  }

  get name(): string {
    return this.settings.name;
  }

  get stand(): RoleMachineState {
    return this.#stand;
  }

  /** The worker, if the role is ready. */
  get worker(): Worker | undefined {
    return this.#stand.state === "READY" && !this.#worker?.dying ? this.#worker : undefined;
  }

  /** The worker's process, ready or not. */
  get current(): Worker | undefined {
    return this.#worker;
  }

  /** Notes that a client needs the worker. Its start goes before those that no client needs. */
  need(): void {
    if (!this.worker) this.neededSinceMs ??= this.#with.clock.steady();
    this.startAhead();
  }

  /** Starts the worker ahead of need, if none runs. */
  startAhead(): void {
    this.#apply({ event: "needed" });
  }

  /** Resolves with the ready worker. Rejects with WORKER_UNAVAILABLE, a start's error or `signal`'s abort reason. */
  ready(patience: Patience, signal?: AbortSignal): Promise<Worker> {
    this.need();
    if (this.worker) return Promise.resolve(this.worker);
    if (this.#stand.state === "FAILED") return Promise.reject(this.unavailable());
    return this.#waiting.wait(patience, () => this.unavailable(), signal);
  }

  /** Counts one call until the caller calls the returned function. */
  begin(): () => void {
    return this.#calls.begin();
  }

  /** Ends the worker between calls and starts another. Resolves when the new one is ready. Rejects as `ready` does. */
  async restart(): Promise<void> {
    this.#replace("requested");
    const waitMs = this.#with.drainMs + this.#with.times.startMs;
    await this.ready({ callMs: waitMs, queueMs: waitMs });
  }

  /** The number of calls under way in the worker. */
  get callsUnderWay(): number {
    return this.#calls.underWay;
  }

  get isBeingRecycled(): boolean {
    return this.#recycling !== undefined;
  }

  /** True if a session has typed text that it has not sent and would lose with the worker. */
  get hasInput(): boolean {
    return this.sessions.hasInput;
  }

  /**
   * Replaces a worker at its next moment without calls, so only a session that loses typed text learns of it. If no
   * such moment comes within a call's timeout, new calls wait for those under way. With `sparing`, the worker stays if
   * a session would lose something. Resolves with true if the worker is replaced.
   */
  async recycleBetweenCalls(why: "memory" | "age", sparing: boolean): Promise<boolean> {
    const { worker } = this;
    if (!worker || this.#recycling) return false;
    this.#recycling = worker;
    await this.#calls.within(this.#with.callTimeoutMs);
    this.#recycling = undefined;
    if (this.worker !== worker || (sparing && this.hasInput)) return false;
    this.recycle(why);
    return true;
  }

  /** Replaces a ready worker between calls. A worker in another state is being replaced already. */
  recycle(why: PlannedReason): void {
    if (this.#stand.state === "READY") this.#replace(why);
  }

  /** Applies new settings. `restarts` means that a running worker cannot adopt them. */
  adopt(settings: RoleSettings, restarts: boolean): void {
    this.settings = settings;
    if (!restarts) return;
    const { state } = this.#stand;
    // A worker that did not start may start now: the old reason may be gone.
    if (this.#couldNotStart) this.startAhead();
    // A starting worker has the old settings. A role in backoff or given up may do better with the new ones.
    else if (state !== "STOPPED" && state !== "DRAINING") this.#replace("configuration");
  }

  /** Ends the role for good after its calls. `roles` are the roles that exist instead. */
  async retire(roles: readonly string[]): Promise<void> {
    this.#waiting.refuse(fail("UNKNOWN_ROLE", { role: this.name, roles: [...roles] }));
    await this.#calls.within(this.#with.drainMs);
    await this.end();
  }

  /** Applies a changed login file. Later sessions use it, and a role that could not start without it starts. */
  async loginChanged(): Promise<void> {
    if (this.#couldNotStart) this.startAhead();
    else await this.worker?.reloadLogin(ASK_TIMEOUT_MS);
  }

  get #couldNotStart(): boolean {
    return this.#stand.state === "STOPPED" && this.#stand.reason !== undefined;
  }

  #loginIs(login: string): void {
    if (login === "logged in") this.failures.loginWorks();
    this.#with.observer.changed(this);
  }

  /** Asks the role's pages to collect their garbage. */
  async collectGarbage(): Promise<void> {
    await this.worker?.link.ask("CollectGarbage", {}, COLLECTED_MS_MAX);
  }

  /** Asks the worker to close the tab that frees much at the least cost. With `sparing`, tabs with typed text stay. */
  async closeLargestTab(reason: string, sparing: boolean): Promise<void> {
    await this.worker?.link.ask("CloseLargestTab", { reason, sparing }, ASK_TIMEOUT_MS);
  }

  /** Ends the worker for good, without a wait for calls. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#ending = true;
    this.#calls.cutShort();
    this.#apply({ event: "endAsked", next: "STOPPED" });
    this.#waiting.refuse(fail("DAEMON_DRAINING", { retryAfterMs: RETRY_AFTER_START_MS, effect: "none" }));
    await worker?.ended;
  }

  /** Resolves when the worker has the session's storage from the worker before it or from hibernation. */
  restored(worker: Worker, session: Pick<Session, "key" | "visits">): Promise<void> {
    return this.sessions.restored(worker, session, this.deaths);
  }

  /** Hibernates an idle session, see {@link SessionRecords.putToRest}. */
  async putToRest(request: RestRequest): ReturnType<SessionRecords["putToRest"]> {
    // A starting worker already has the session, and an ending one has not reported all of it.
    if (this.#worker && !this.worker) throw new Error("the worker is not ready");
    return await this.sessions.putToRest(this.worker, request);
  }

  /** Ends a session: the worker disposes of its state, and nothing of it is restored. */
  async endSession(key: string): Promise<void> {
    this.sessions.forget(key);
    if (this.#stand.state === "STARTING") this.#overMeanwhile.add(key);
    await this.worker?.link.ask("EndSession", { key }, ASK_TIMEOUT_MS);
  }

  /** Returns the error for calls, with the time of the next try. */
  unavailable(): TroupeError {
    return unavailable(this.name, this.#stand, this.#with.clock.steady());
  }

  #replace(why: PlannedReason): void {
    this.#planned = why;
    this.#apply({ event: "endAsked", next: "STARTING" });
  }

  #apply(event: RoleEvent): void {
    const { policy, clock, observer, log } = this.#with;
    const before = this.#stand;
    this.#stand = nextState(before, event, { policy, nowMs: clock.steady(), jitter: Math.random() });
    if (this.#stand === before) return;
    this.#alarm?.cancel();
    log.info(
      {
        role: this.name,
        state: this.#stand.state,
        ...("reason" in this.#stand && { reason: this.#stand.reason }),
      },
      "role",
    );
    this.#enter(this.#stand);
    observer.changed(this);
  }

  #enter(stand: RoleMachineState): void {
    switch (stand.state) {
      case "STARTING":
        this.#countStart();
        void this.#start(stand);
        break;
      case "READY":
        this.neededSinceMs = undefined;
        if (this.#worker) this.#waiting.admit(this.#worker);
        break;
      case "BACKING_OFF":
        this.#waiting.startsNoMore();
        this.#retryAt(stand.retryAtMs);
        break;
      case "DRAINING":
        if (!hasNextWorker(stand)) this.#waiting.startsNoMore();
        void this.#drain();
        break;
      case "FAILED":
        this.neededSinceMs = undefined;
        this.#waiting.refuse(this.unavailable());
        this.#retryAt(stand.retryAtMs);
        break;
      case "STOPPED":
        this.neededSinceMs = undefined;
        break;
    }
  }

  #retryAt(atMs: number): void {
    const { clock } = this.#with;
    this.#alarm = clock.after(atMs - clock.steady(), () => this.#apply({ event: "retryDue" }));
  }

  #countStart(): void {
    if (!this.#endedBy) return;
    this.restarts++;
    this.#with.observer.restarted(this, this.#endedBy);
  }

  async #start(stand: RoleMachineState): Promise<void> {
    const { clock, observer, starts } = this.#with;
    using _place = await starts.enter(this);
    // The role was ended or started again meanwhile.
    if (this.#stand !== stand) return;
    const beganMs = clock.steady();
    let worker: Worker | undefined;
    try {
      worker = this.#spawn();
      await worker.start();
      if (this.#worker !== worker || this.#stand.state !== "STARTING") return;
      this.tried = true;
      observer.started(this, clock.steady() - beganMs);
      this.#apply({ event: "started" });
      await this.#endWhatIsOver(worker);
    } catch (error) {
      if (this.#worker === worker && this.#stand.state === "STARTING")
        this.#startFailed(worker, startFailure(error, this.name));
    }
  }

  #spawn(): Worker {
    const { observer, nextSocket } = this.#with;
    const { sessions } = this;
    const worker = new Worker({
      ...this.#with,
      socket: nextSocket(),
      config: workerConfig(this.settings, this.#with.callTimeoutMs, this.#with.daemonPorts()),
      sessions: sessions.begin(),
      onSession: (record) => sessions.told(record),
      onStorage: (changed) => sessions.stored(changed),
      onFailure: (failure) => {
        this.failures.add(failure);
        observer.failed(this, failure);
      },
      onLogin: (login) => this.#loginIs(login),
    });
    this.#worker = worker;
    this.failures.workerStarts();
    this.#overMeanwhile.clear();
    void worker.ended.then((end) => this.#gone(worker, end));
    return worker;
  }

  async #endWhatIsOver(worker: Worker): Promise<void> {
    const keys = [...this.#overMeanwhile];
    this.#overMeanwhile.clear();
    const asked = keys.map((key) => worker.link.ask("EndSession", { key }, ASK_TIMEOUT_MS));
    for (const end of await Promise.allSettled(asked)) {
      if (end.status === "rejected")
        this.#with.log.warn({ err: end.reason, role: this.name }, "a worker did not end a session");
    }
  }

  /** A worker that gives a reason could not start. A worker that breaks has died. */
  #startFailed(worker: Worker | undefined, failure: StartFailure): void {
    const { log } = this.#with;
    this.tried = true;
    if (failure.error) {
      const { error, reason, event } = failure;
      this.#worker = undefined;
      this.#endedBy = "start-failed";
      worker?.kill();
      log.warn({ role: this.name, type: error.type, reason }, "the role did not start");
      this.#apply(event);
      this.#waiting.refuse(error);
    } else if (worker) {
      worker.kill(
        failure.reason === undefined ? undefined : { kind: "worker-crashed", reason: failure.reason },
      );
    } else {
      log.error({ role: this.name, reason: failure.reason }, "no process could be started");
      this.#apply({ event: "died", reason: "its process could not be started" });
    }
  }

  #gone(worker: Worker, end: WorkerEnd): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const asked = this.#stand.state === "DRAINING";
    this.sessions.lostInput.workerGone(this.sessions.awake, asked ? this.#planned : end);
    this.failures.workerGone(asked ? undefined : end);
    if (asked) {
      this.#endedBy = this.#planned;
      this.#apply({ event: "ended" });
      return;
    }
    const { log } = this.#with;
    if (this.#stand.state === "READY") this.deaths++;
    this.lastEnd = end;
    this.#endedBy = end.kind;
    this.tried = true;
    log.error({ role: this.name, worker: worker.pid, ...end }, "a worker died");
    this.#apply({ event: "died", reason: end.reason });
  }

  /** A replacement that no operator asked for must not break off calls. */
  get #drainBoundMs(): number {
    const { drainMs, callTimeoutMs } = this.#with;
    const isOurs = this.#planned === "memory" || this.#planned === "age";
    return isOurs ? Math.max(drainMs, callTimeoutMs) : drainMs;
  }

  async #drain(): Promise<void> {
    const worker = this.#worker;
    if (!worker) {
      this.#apply({ event: "ended" });
      return;
    }
    if (!this.#ending) await this.#calls.within(this.#drainBoundMs);
    await worker.end();
  }
}
