// Judges what became of the sessions, by their calls, the application's ledger and the database's audit.
import type { Outcome } from "../chaos/scenario/agent.ts";
import type { Figure } from "../chaos/scenario/figures.ts";

/** Something that was done to a daemon. Times are those of performance.now(). */
export interface Event {
  name: string;
  /** `leave`: the daemon was asked to end, and nothing may be noticed. */
  kind: "kill" | "stop" | "leave" | "join";
  /** The moment from which the sessions are due again. For a stop, it is the end of the lease. */
  atMs: number;
  /** The beginning of the next event, or the end of the load. */
  untilMs: number;
  /** The sessions that the daemon owned. */
  affected: ReadonlySet<string>;
}

export type Call = Pick<Outcome, "session" | "tool" | "beganMs" | "endedMs" | "answer" | "type">;

export interface Evidence {
  calls: readonly Call[];
  events: readonly Event[];
  ledger: ReadonlyMap<string, number>;
  /** Replies that show another session's storage, or none. */
  strangers: number;
  /** Good replies that show another page than the session's, or an empty one. */
  absences: number;
  /** Writes that the database took from a daemon that did not own the session, or whose lease had ended. */
  foreignWrites: number;
}

const RECOVERY_MS_MAX = 2_000;
const RESTARTED = "WORKER_RESTARTED";

export function figuresOf(evidence: Evidence): Figure[] {
  const { calls, events, ledger, strangers, absences, foreignWrites } = evidence;
  const failed = calls.filter(({ answer }) => answer !== "ok");
  const lost = failed.filter(({ type }) => type === "SESSION_LOST" || type === "SESSION_EXPIRED");
  const twice = [...ledger].filter(([number, times]) => number !== "" && times > 1);
  return [
    { name: "calls", value: calls.length },
    { name: "failed calls", value: failed.length, note: typesOf(failed) },
    { name: "SESSION_LOST", value: lost.length, bar: { most: 0 } },
    { name: "replies with another session's storage, or none", value: strangers, bar: { most: 0 } },
    { name: "good replies without the session's page", value: absences, bar: { most: 0 } },
    { name: "actions done", value: ledger.size },
    { name: "actions done twice", value: twice.length, bar: { most: 0 }, note: twice.slice(0, 5).join(" ") },
    { name: "writes of a daemon without session or lease", value: foreignWrites, bar: { most: 0 } },
    ...(["kill", "stop", "leave"] as const).flatMap((kind) => recoveryFigures(kind, calls, events)),
    ...events.map((event) => reportedFigure(calls, event)),
  ];
}

/** The figures of a rolling restart, which no client may notice. */
export function unnoticedFigures({ calls }: Pick<Evidence, "calls">): Figure[] {
  const failed = calls.filter(({ answer }) => answer !== "ok");
  const reported = failed.filter(({ type }) => type === RESTARTED);
  return [
    { name: "failed calls", value: failed.length, bar: { most: 0 }, note: typesOf(failed) },
    { name: `calls that report ${RESTARTED}`, value: reported.length, bar: { most: 0 } },
    {
      name: "longest call",
      value: Math.max(0, ...calls.map(({ beganMs, endedMs }) => endedMs - beganMs)),
      unit: "ms",
    },
  ];
}

/**
 * Returns the time to each affected session's next good reply, Infinity if none came. It counts from the event, or from
 * the begin of the session's first call that the event could reach, if this is later.
 */
export function recoveriesMs(calls: readonly Call[], { atMs, affected }: Event): number[] {
  return [...affected].flatMap((session) => {
    const own = calls.filter((call) => call.session === session && call.endedMs > atMs);
    const [first] = own.toSorted((one, other) => one.beganMs - other.beganMs);
    // A session whose client made no call more shows nothing.
    if (!first) return [];
    const good = Math.min(...own.filter(({ answer }) => answer === "ok").map(({ endedMs }) => endedMs));
    return good - Math.max(atMs, first.beganMs);
  });
}

/** Returns how often each session got this error during an event. */
export function reportedTimes(calls: readonly Call[], { atMs, untilMs }: Event): Map<string, number> {
  const reported = calls.filter(
    ({ type, endedMs }) => type === RESTARTED && endedMs >= atMs && endedMs < untilMs,
  );
  return new Map(
    [...Map.groupBy(reported, ({ session }) => session)].map(([session, of]) => [session, of.length]),
  );
}

/** Returns the value below which this share of the values lies. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function recoveryFigures(kind: Event["kind"], calls: readonly Call[], events: readonly Event[]): Figure[] {
  const of = events.filter((event) => event.kind === kind);
  if (of.length === 0) return [];
  const times = of.flatMap((event) => recoveriesMs(calls, event));
  const clock = { kill: "kill -9", stop: "the end of a stopped daemon's lease", leave: "SIGTERM", join: "" }[
    kind
  ];
  // A daemon that leaves in order may take its time to do so.
  const bar = kind === "leave" ? {} : { bar: { most: RECOVERY_MS_MAX } };
  const name = `from ${clock} to the next good reply`;
  return [
    { name: `${name}: sessions`, value: times.length },
    { name: `${name}: p50`, value: quantile(times, 0.5), unit: "ms" },
    { name: `${name}: p99`, value: quantile(times, 0.99), unit: "ms", ...bar },
    { name: `${name}: max`, value: quantile(times, 1), unit: "ms" },
  ];
}

/** Sessions are informed once of a worker that died, and never of one that left in order. */
function reportedFigure(calls: readonly Call[], event: Event): Figure {
  const reported = reportedTimes(calls, event);
  const isQuiet = event.kind === "leave" || event.kind === "join";
  const untouched = [...reported.keys()].filter((session) => !event.affected.has(session)).length;
  return {
    name: `${RESTARTED} for one session at most, ${event.name}`,
    value: Math.max(0, ...reported.values()),
    bar: { most: isQuiet ? 0 : 1 },
    note: `${reported.size} sessions of ${event.affected.size} affected ones${untouched > 0 ? `, ${untouched} of them not affected` : ""}`,
  };
}

/** Returns the types of calls with the number of each. */
function typesOf(calls: readonly Call[]): string {
  const named = ({ tool, type, answer }: Call) =>
    `${tool.replace("browser_", "")} ${type ?? answer}${answer === "error" ? "" : " on the way"}`;
  return [...Map.groupBy(calls, named)].map(([name, of]) => `${of.length} ${name}`).join(", ");
}
