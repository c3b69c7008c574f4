// Supervises one role: what outlives its workers, and what operators and calls ask of it.

import { fail } from "../../proto/errors/catalogue.ts";
import type { RoleSettings } from "../config/load.ts";
import { InFlightCounter } from "../core/in-flight-counter.ts";
import { RoleCredentials } from "../credentials/role-credentials.ts";
import { SlotQueue } from "../sessions/slot-queue.ts";
import type { MemoryUse } from "../state/memory.ts";
import type { Worker } from "../worker-process/worker.ts";
import { Losses } from "./losses.ts";
import { RoleApprovals } from "./role-approvals.ts";
import { RoleFailures } from "./role-failures.ts";
import { hasNextWorker, type RoleMachineState } from "./role-machine.ts";
import { SessionRecords } from "./session-records.ts";
import { type PlannedReason, type Supervision, slotLimits } from "./supervision.ts";
import { type Patience, RETRY_AFTER_START_MS, WaitingRoom } from "./waiting-room.ts";
import { type WorkedRole, WorkerStarter } from "./worker-starter.ts";

const RELOAD_TIMEOUT_MS = 5000;

/** Why the persons at work in a role have to leave: its worker is replaced, or the role is no more. */
export type Leaving = "restart" | "role";

/** A role and its workers. */
export class SupervisedRole implements WorkedRole {
  settings: RoleSettings;
  readonly slots: SlotQueue;
  readonly losses = new Losses();
  /** The state of the role's sessions, independent of the worker that runs them. */
  readonly sessions: SessionRecords;
  /** The role's failures, with those of dead workers. */
  readonly failures: RoleFailures;
  readonly credentials: RoleCredentials;
  /** The actions that wait for a person. */
  readonly approvals: RoleApprovals;
  /** The calls under way in the worker. A restart waits for them. */
  readonly calls: InFlightCounter;
  readonly waiting: WaitingRoom;
  /** The persons at work. They leave at once when the worker's end is planned, so nothing waits for them. */
  readonly persons = new Set<(why: Leaving) => void>();
  readonly #workers: WorkerStarter;
  readonly #with: Supervision;
  #measured: { worker: Worker | undefined; use: MemoryUse } | undefined;

  constructor(settings: RoleSettings, supervision: Supervision) {
    const { clock, env, limits } = supervision;
    this.settings = settings;
    this.#with = supervision;
    this.slots = new SlotQueue(slotLimits(settings, limits), clock);
    this.sessions = new SessionRecords(this, supervision);
    this.failures = new RoleFailures({ ...supervision, role: settings.name, worker: () => this.worker });
    this.approvals = new RoleApprovals({
      role: settings.name,
      worker: () => this.worker,
      clock,
      ended: (ended) => supervision.observer.approvalEnded(ended),
    });
    this.credentials = new RoleCredentials(() => this.settings.credentials ?? {}, { env, clock });
    this.calls = new InFlightCounter(clock);
    this.waiting = new WaitingRoom(clock, () => hasNextWorker(this.stand));
    this.#workers = new WorkerStarter(this, supervision);
  }

  get name(): string {
    return this.settings.name;
  }

  get stand(): RoleMachineState {
    return this.#workers.stand;
  }

  get isAsking(): boolean {
    return this.#workers.isAsking;
  }

  /** The role could not start, or has lost its browser. The next call starts it. */
  get couldNotStart(): boolean {
    return this.stand.state === "STOPPED" && this.stand.reason !== undefined;
  }

  get worker(): Worker | undefined {
    return this.#workers.ready;
  }

  get current(): Worker | undefined {
    return this.#workers.current;
  }

  get restarts(): number {
    return this.#workers.restarts;
  }

  /** True once a first start has succeeded or failed. */
  get tried(): boolean {
    return this.#workers.tried;
  }

  get hibernated(): number {
    const visits = this.#with.sessions.list().flatMap((session) => session.visits.get(this.name) ?? []);
    return visits.filter(({ state }) => state !== "AWAKE").length;
  }

  get memory(): MemoryUse | undefined {
    return this.#measured?.worker === this.worker ? this.#measured?.use : undefined;
  }

  /** Notes the memory that its worker holds. */
  measured(use: MemoryUse): void {
    this.#measured = { worker: this.worker, use };
  }

  /** Notes that a client needs the worker. Its start goes before those that no client needs. */
  need(): void {
    if (!this.worker) this.waiting.need();
    this.startAhead();
  }

  /** Starts the worker ahead of need, if none runs. */
  startAhead(): void {
    this.#workers.apply({ event: "needed" });
  }

  /** Resolves with the ready worker. Rejects with WORKER_UNAVAILABLE, a start's error or `signal`'s abort reason. */
  ready(patience: Patience, signal?: AbortSignal): Promise<Worker> {
    this.need();
    if (this.worker) return Promise.resolve(this.worker);
    const unavailable = () => this.#workers.unavailable();
    if (this.stand.state === "FAILED") return Promise.reject(unavailable());
    return this.waiting.wait(patience, unavailable, signal);
  }

  /** Ends the worker between calls and starts another. In any state: a role that was given up starts again. */
  replaceWorker(why: PlannedReason): void {
    this.#sendAway("restart");
    this.#workers.replace(why);
  }

  /** Replaces the worker. Resolves when the new one is ready. Rejects as `ready` does. */
  async restart(): Promise<void> {
    this.replaceWorker("requested");
    const waitMs = this.#with.limits.drain + this.#with.times.startMs;
    await this.ready({ callMs: waitMs, queueMs: waitMs });
  }

  /** Applies new settings. `restarts` means that a running worker cannot adopt them. */
  adopt(settings: RoleSettings, restarts: boolean): void {
    this.settings = settings;
    if (!restarts) return;
    const { state } = this.stand;
    // A worker that did not start may start now: the old reason may be gone.
    if (this.couldNotStart) this.startAhead();
    // A starting worker has the old settings. A role in backoff or given up may do better with the new ones.
    else if (state !== "STOPPED" && state !== "DRAINING") this.replaceWorker("configuration");
  }

  /** Applies a changed login file. Later sessions use it, and a role that could not start without it starts. */
  async loginChanged(): Promise<void> {
    if (this.couldNotStart) this.startAhead();
    else await this.worker?.reloadLogin(RELOAD_TIMEOUT_MS);
  }

  /** Ends the role for good after its calls. `roles` are the roles that exist instead. */
  async retire(roles: readonly string[]): Promise<void> {
    this.#sendAway("role");
    this.waiting.reject(fail("UNKNOWN_ROLE", { role: this.name, roles: [...roles] }));
    await this.calls.within(this.#with.limits.drain);
    await this.end();
  }

  /** Ends the worker for good, without a wait for calls. */
  async end(): Promise<void> {
    const { current } = this;
    this.calls.cutShort();
    this.#workers.apply({ event: "endAsked", next: "STOPPED" });
    this.waiting.reject(fail("DAEMON_DRAINING", { retryAfterMs: RETRY_AFTER_START_MS, effect: "none" }));
    await current?.ended;
  }

  #sendAway(why: Leaving): void {
    for (const leave of [...this.persons]) leave(why);
  }
}
