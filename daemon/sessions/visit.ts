// A session's state in a role, as a pure function of the session's and the worker's fate.

/** The state of a session in a role. `deathsKnown` counts the role's worker deaths that the session knows of. */
export type Visit =
  | { state: "AWAKE"; deathsKnown: number }
  /** Deaths meanwhile do not concern it. `isReported` means that its next call need not report the hibernation. */
  | { state: "HIBERNATED"; isReported: boolean }
  /** It hibernates since its worker ended. Its next call must report that. `why`: the reason, if no worker has died. */
  | { state: "INTERRUPTED"; why?: string };

/** The events of a session in a role. `informed`: its client knows of all losses so far. */
export type VisitEvent = "hibernated" | "woken" | "informed";

/** Returns the state after the event. `deaths` is the number of the role's worker deaths so far. */
export function nextVisit(visit: Visit, event: VisitEvent, deaths: number): Visit {
  switch (event) {
    case "hibernated":
      return missesDeath(visit, deaths)
        ? { state: "INTERRUPTED" }
        : { state: "HIBERNATED", isReported: false };
    case "woken":
      return { state: "AWAKE", deathsKnown: visit.state === "INTERRUPTED" ? -1 : deaths };
    case "informed":
      return visit.state === "AWAKE"
        ? { state: "AWAKE", deathsKnown: deaths }
        : { state: "HIBERNATED", isReported: true };
  }
}

/** Returns true if the session does not know that its worker has ended. */
export function missesDeath(visit: Visit, deaths: number): boolean {
  return visit.state === "INTERRUPTED" || (visit.state === "AWAKE" && visit.deathsKnown < deaths);
}
