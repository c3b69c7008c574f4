// Decides a role's next state: the whole life of a role's worker as a pure function.
import {
  crashesInARow,
  probeDelayMs,
  type RestartPolicy,
  recentCrashes,
  restartDelayMs,
} from "./restart-delays.ts";

/**
 * The state of a role. All times are by the steady clock. `crashes` are the times of its workers' deaths since one was
 * last well, newest last.
 */
export type RoleMachineState = { crashes: readonly number[] } & (
  | { state: "STOPPED"; reason?: string }
  /** `probes` is set if the role was given up. It is the number of this try. */
  | { state: "STARTING"; sinceMs: number; probes?: number }
  /** `probes` is set if the role was given up and this try may still fail. */
  | { state: "READY"; sinceMs: number; probes?: number }
  | { state: "BACKING_OFF"; reason: string; retryAtMs: number }
  /** The role is given up, except for rare tries. `probes` is the number of tries so far. */
  | { state: "FAILED"; reason: string; mend?: string; probes: number; retryAtMs: number }
  | { state: "DRAINING"; next: "STARTING" | "STOPPED" }
);

export type RoleEvent =
  /** A call needs the worker, or the configuration has `eager`. */
  | { event: "needed" }
  | { event: "started" }
  /** The worker died, or its start failed and another try may help. */
  | { event: "died"; reason: string }
  /** The start failed and another try alone does not help. `lasting` means that an operator must act first. */
  | { event: "startFailed"; reason: string; lasting: boolean; mend?: string }
  /** The attached browser is gone. The next call tries to connect again. */
  | { event: "disconnected"; reason: string }
  | { event: "retryDue" }
  /** An operator asked for a new worker, or the daemon ends. */
  | { event: "endAsked"; next: "STARTING" | "STOPPED" }
  /** The worker that was asked to end has ended. */
  | { event: "ended" };

/** The decision's inputs besides the role itself. */
export interface RoleInputs {
  policy: RestartPolicy;
  /** The time by the steady clock. */
  nowMs: number;
  /** A random number from 0 to 1. */
  jitter: number;
}

export function nextState(
  stand: RoleMachineState,
  event: RoleEvent,
  { policy, nowMs, jitter }: RoleInputs,
): RoleMachineState {
  const { crashes } = stand;
  switch (event.event) {
    case "needed":
      return stand.state === "STOPPED" ? { state: "STARTING", sinceMs: nowMs, crashes } : stand;
    case "started":
      if (stand.state !== "STARTING") return stand;
      return { ...probing(stand.probes), state: "READY", sinceMs: nowMs, crashes };
    case "died":
      return died(stand, event.reason, { policy, nowMs, jitter });
    case "startFailed":
      if (stand.state !== "STARTING") return stand;
      return event.lasting
        ? givenUp(event, stand.probes ?? 0, crashes, { policy, nowMs, jitter })
        : { state: "STOPPED", reason: event.reason, crashes };
    case "disconnected":
      return stand.state === "STARTING" || stand.state === "READY"
        ? { state: "STOPPED", reason: event.reason, crashes }
        : stand;
    case "retryDue":
      return triedAgain(stand, crashes, nowMs);
    case "endAsked":
      return endAsked(stand, event.next, nowMs);
    case "ended":
      if (stand.state !== "DRAINING") return stand;
      return stand.next === "STARTING"
        ? { state: "STARTING", sinceMs: nowMs, crashes }
        : { state: "STOPPED", crashes };
  }
}

function triedAgain(stand: RoleMachineState, crashes: readonly number[], nowMs: number): RoleMachineState {
  switch (stand.state) {
    case "BACKING_OFF":
      return { state: "STARTING", sinceMs: nowMs, crashes };
    case "FAILED":
      return { state: "STARTING", sinceMs: nowMs, crashes, probes: stand.probes + 1 };
    default:
      return stand;
  }
}

function probing(probes: number | undefined): { probes?: number } {
  return probes === undefined ? {} : { probes };
}

function died(stand: RoleMachineState, reason: string, circumstances: RoleInputs): RoleMachineState {
  if (stand.state !== "STARTING" && stand.state !== "READY") return stand;
  const { policy, nowMs } = circumstances;
  const workedMs = stand.state === "READY" ? nowMs - stand.sinceMs : 0;
  const hasLasted = stand.state === "READY" && workedMs >= policy.within;
  const probes = hasLasted ? undefined : stand.probes;
  return probes === undefined
    ? afterDeath(reason, crashesInARow(stand.crashes, { nowMs, workedMs }, policy), circumstances)
    : givenUp({ reason }, probes, stand.crashes, circumstances);
}

function afterDeath(reason: string, crashes: number[], circumstances: RoleInputs): RoleMachineState {
  const { policy, nowMs, jitter } = circumstances;
  const delayMs = restartDelayMs(crashes, policy, jitter);
  if (delayMs === "give-up") {
    const times = recentCrashes(crashes, policy);
    const often = `its worker died ${times} times within ${policy.within / 1000} s; the last time: ${reason}`;
    return givenUp({ reason: often }, 0, crashes, circumstances);
  }
  return delayMs === 0
    ? { state: "STARTING", sinceMs: nowMs, crashes }
    : { state: "BACKING_OFF", reason, retryAtMs: nowMs + delayMs, crashes };
}

/** The cause may end by itself, or by a person who does not know of this role. So the role is tried again, rarely. */
function givenUp(
  { reason, mend }: { reason: string; mend?: string },
  probes: number,
  crashes: readonly number[],
  { policy, nowMs, jitter }: RoleInputs,
): RoleMachineState {
  const retryAtMs = nowMs + probeDelayMs(probes, policy, jitter);
  return { state: "FAILED", reason, ...(mend !== undefined && { mend }), probes, retryAtMs, crashes };
}

/** An operator's restart clears the earlier crashes. */
function endAsked(stand: RoleMachineState, next: "STARTING" | "STOPPED", nowMs: number): RoleMachineState {
  switch (stand.state) {
    case "STARTING":
    case "READY":
      return { state: "DRAINING", next, crashes: [] };
    case "DRAINING":
      return next === "STOPPED" ? { ...stand, next } : stand;
    case "STOPPED":
    case "BACKING_OFF":
    case "FAILED":
      return next === "STARTING"
        ? { state: "STARTING", sinceMs: nowMs, crashes: [] }
        : { state: "STOPPED", crashes: [] };
  }
}

/** Returns true if a worker starts now, or starts once the current one has ended. */
export function hasNextWorker(stand: RoleMachineState): boolean {
  return stand.state === "STARTING" || (stand.state === "DRAINING" && stand.next === "STARTING");
}
