// What roles are supervised with, who hears of them, and what is seen of them from outside.

import type { FailureRecorded, SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import type { RoleSettings } from "../config/load.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { TraceRecord } from "../state/leftovers.ts";
import type { MemoryUse } from "../state/memory.ts";
import type { Worker, WorkerEnd, WorkerTimes } from "../worker-process/worker.ts";
import type { WorkerCommand } from "../worker-process/worker-process.ts";
import type { RestartPolicy } from "./restart-policy.ts";
import type { FailureKeeper } from "./role-failures.ts";
import type { RoleMachineState } from "./role-machine.ts";
import type { StartQueue } from "./start-queue.ts";

/** Keeps what workers tell of their sessions, for the workers after them. `key`: a session's; empty for what they share. */
export interface SessionKeeper {
  /** False where it could not be kept. */
  keepTabs(role: string, record: SessionRecord): boolean;
  /** Of all sessions, or of one. */
  tabsOf(role: string, key?: string): SessionRecord[];
  /** False where they could not be kept. */
  keepParts(role: string, key: string, parts: readonly StoragePart[]): boolean;
  partsOf(role: string, key: string): StoragePart[];
  forget(role: string, key: string): void;
  /** What the role's sessions share is forgotten, if none of them is left. */
  forgetShared(role: string): void;
}

/** What every role is supervised with. */
export interface Supervision {
  journal: FailureKeeper;
  kept: SessionKeeper;
  command: WorkerCommand;
  stateDir: string;
  env: NodeJS.ProcessEnv;
  logLevel: string;
  policy: RestartPolicy;
  /** Where the daemon listens, as far as it does already: no page reaches it there. */
  daemonPorts: () => readonly number[];
  /** How long a whole call may take. */
  callTimeoutMs: number;
  /** How long calls under way may go on before a worker is ended by request. */
  drainMs: number;
  times: WorkerTimes;
  /** What every worker's start waits in. */
  starts: StartQueue;
  traces: TraceRecord;
  clock: Clock;
  log: Log;
  /** A socket path that no worker had before. */
  nextSocket: () => string;
  observer: RoleObserver;
}

/** A role as it is told of. */
export interface RoleView {
  readonly name: string;
  readonly settings: RoleSettings;
  readonly stand: RoleMachineState;
  /** The worker, where the role is ready. */
  readonly worker: Worker | undefined;
  /** The process of the worker, ready or not. */
  readonly current: Worker | undefined;
  readonly restarts: number;
  /** How many sessions it has. */
  readonly census: () => { awake: number; resting: number };
}

/** Why a worker that works is replaced. */
export type PlannedReason = "requested" | "memory" | "age" | "configuration";

/** Why a worker is started after another: that one died, was replaced, or could not start. */
export type RestartReason = WorkerEnd["kind"] | PlannedReason | "start-failed";

/** Who hears of what happens to roles. */
export interface RoleObserver {
  changed(role: RoleView): void;
  /** The configuration has it no more. */
  removed(role: RoleView): void;
  started(role: RoleView, tookMs: number): void;
  restarted(role: RoleView, reason: RestartReason): void;
  failed(role: RoleView, failure: FailureRecorded): void;
  measured(role: RoleView, use: MemoryUse): void;
}
