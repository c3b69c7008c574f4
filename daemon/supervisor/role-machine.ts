// Where a role stands and where it goes next: the whole life of a role's worker as a pure function.
import { type RestartPolicy, restartDelayMs } from "./restart-policy.ts";

/** Where a role stands. `crashes`: when its workers died, newest last, as far back as the policy looks. */
export type RoleStand = { crashes: readonly number[] } & (
  | { state: "STOPPED"; reason?: string }
  | { state: "STARTING"; sinceMs: number }
  | { state: "READY"; sinceMs: number }
  | { state: "BACKING_OFF"; reason: string; retryAtMs: number }
  | { state: "FAILED"; reason: string; mend?: string }
  | { state: "DRAINING"; next: "STARTING" | "STOPPED" }
);

/** What may befall a role. */
export type RoleEvent =
  /** A call, or the configuration's `eager`, needs the worker. */
  | { event: "needed" }
  | { event: "started" }
  /** The worker died, or its start failed in a way that another try may mend. */
  | { event: "died"; reason: string }
  /** The start failed in a way that no other try mends by itself. `lasting`: an operator must do something first. */
  | { event: "refused"; reason: string; lasting: boolean; mend?: string }
  | { event: "retryDue" }
  /** An operator asked for a new worker, or the daemon ends. */
  | { event: "endAsked"; next: "STARTING" | "STOPPED" }
  /** The worker that was asked to end has ended. */
  | { event: "ended" };

/** What the decision rests on besides the role itself. */
export interface Circumstances {
  policy: RestartPolicy;
  nowMs: number;
  /** 0 to 1. */
  jitter: number;
}

/** Where the role stands after the event. */
export function nextStand(
  stand: RoleStand,
  event: RoleEvent,
  { policy, nowMs, jitter }: Circumstances,
): RoleStand {
  const crashes = stand.crashes.filter((at) => nowMs - at < policy.within);
  switch (event.event) {
    case "needed":
      return stand.state === "STOPPED" ? { state: "STARTING", sinceMs: nowMs, crashes } : stand;
    case "started":
      return stand.state === "STARTING" ? { state: "READY", sinceMs: nowMs, crashes } : stand;
    case "died":
      return stand.state === "STARTING" || stand.state === "READY"
        ? afterDeath(event.reason, [...crashes, nowMs], policy, nowMs, jitter)
        : stand;
    case "refused":
      if (stand.state !== "STARTING") return stand;
      return event.lasting
        ? { state: "FAILED", reason: event.reason, mend: event.mend, crashes }
        : { state: "STOPPED", reason: event.reason, crashes };
    case "retryDue":
      return stand.state === "BACKING_OFF" ? { state: "STARTING", sinceMs: nowMs, crashes } : stand;
    case "endAsked":
      return endAsked(stand, event.next, nowMs);
    case "ended":
      if (stand.state !== "DRAINING") return stand;
      return stand.next === "STARTING"
        ? { state: "STARTING", sinceMs: nowMs, crashes }
        : { state: "STOPPED", crashes };
  }
}

function afterDeath(
  reason: string,
  crashes: number[],
  policy: RestartPolicy,
  nowMs: number,
  jitter: number,
): RoleStand {
  const delayMs = restartDelayMs(crashes, policy, jitter);
  if (delayMs === "give-up") {
    return {
      state: "FAILED",
      reason: `its worker died ${crashes.length} times within ${policy.within / 1000} s; the last time: ${reason}`,
      crashes,
    };
  }
  return delayMs === 0
    ? { state: "STARTING", sinceMs: nowMs, crashes }
    : { state: "BACKING_OFF", reason, retryAtMs: nowMs + delayMs, crashes };
}

/** An operator's restart forgets what went before. */
function endAsked(stand: RoleStand, next: "STARTING" | "STOPPED", nowMs: number): RoleStand {
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
