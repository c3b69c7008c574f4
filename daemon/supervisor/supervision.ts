// The dependencies of supervised roles, their observer, and their view for other parts.

import type { ApprovalAsked, EvidenceTaken, FailureRecorded } from "../../proto/gen/troupe.ts";
import type { DaemonConfig, RoleSettings } from "../config/load.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SlotLimits, SlotQueue } from "../sessions/slot-queue.ts";
import type { TraceRecord } from "../state/leftovers.ts";
import type { MemoryUse } from "../state/memory.ts";
import type { SessionKeeper } from "../store/session-store.ts";
import type { EarlyProcess } from "../worker-process/early-process.ts";
import type { Worker, WorkerEnd } from "../worker-process/worker.ts";
import type { WorkerCommand } from "../worker-process/worker-process.ts";
import type { WorkerTimes } from "../worker-process/worker-times.ts";
import type { RestartPolicy } from "./restart-delays.ts";
import type { EndedApproval } from "./role-approvals.ts";
import type { FailureKeeper } from "./role-failures.ts";
import type { RoleMachineState } from "./role-machine.ts";
import type { StartQueue } from "./start-queue.ts";

/** Keeps the workers' evidence of recorded calls. */
export interface EvidenceKeeper {
  taken(role: string, taken: EvidenceTaken): void;
}

export interface Supervision {
  journal: FailureKeeper;
  evidence: EvidenceKeeper;
  kept: SessionKeeper;
  sessions: Pick<Sessions, "list" | "restore">;
  command: WorkerCommand;
  stateDir: string;
  env: NodeJS.ProcessEnv;
  logLevel: string;
  policy: RestartPolicy;
  /** The ports that the daemon listens on so far. Pages must not reach them. */
  daemonPorts: () => readonly number[];
  /** Stays current when the configuration is read again. */
  limits: Pick<DaemonConfig["limits"], "callTimeout" | "drain" | "queue" | "queueWait">;
  times: WorkerTimes;
  starts: StartQueue;
  /** The first worker's process, if it started with the daemon. */
  early: EarlyProcess | undefined;
  traces: TraceRecord;
  clock: Clock;
  log: Log;
  /** Returns a socket path that no worker had before. */
  nextSocket: () => string;
  observer: RoleObserver;
}

/** A role as other parts see it. */
export interface RoleView {
  readonly name: string;
  readonly settings: RoleSettings;
  readonly stand: RoleMachineState;
  /** The role's worker starts, and waits until a person allows it to connect to the browser. */
  readonly isAsking: boolean;
  /** The worker, if the role is ready. */
  readonly worker: Worker | undefined;
  /** The worker's process, ready or not. */
  readonly current: Worker | undefined;
  readonly restarts: number;
  /** The slots of its sessions that are awake. */
  readonly slots: SlotQueue;
  /** The number of its sessions that hibernate. */
  readonly hibernated: number;
  /** The memory of its worker at the last measurement. */
  readonly memory: MemoryUse | undefined;
}

export function slotLimits(
  { name, sessions, hibernateAfter }: RoleSettings,
  { queue, queueWait }: Supervision["limits"],
): SlotLimits {
  return { role: name, sessions, queue, queueWaitMs: queueWait, hibernateAfterMs: hibernateAfter };
}

export type PlannedReason = "requested" | "memory" | "age" | "configuration";

/** The reasons for a worker's start after another: that one died, was replaced, or could not start. */
export const RESTART_REASONS = [
  "worker-crashed",
  "worker-hung",
  "browser-crashed",
  "browser-hung",
  "browser-disconnected",
  "requested",
  "memory",
  "age",
  "configuration",
  "start-failed",
] as const satisfies readonly (WorkerEnd["kind"] | PlannedReason | "start-failed")[];
export type RestartReason = (typeof RESTART_REASONS)[number];

export interface RoleObserver {
  changed(role: RoleView): void;
  /** The configuration no longer has the role. */
  removed(role: RoleView): void;
  started(role: RoleView, tookMs: number): void;
  restarted(role: RoleView, reason: RestartReason): void;
  failed(role: RoleView, failure: FailureRecorded): void;
  measured(role: RoleView, use: MemoryUse): void;
  /** An action waits for a person. */
  approvalAsked(role: RoleView, asked: ApprovalAsked): void;
  approvalEnded(ended: EndedApproval): void;
}
