// Compares two states of the console, and applies the difference. The daemon and the page agree on it here.
import { type ConsoleChange, type ConsoleState, RECORDS_MAX, type SessionView } from "./wire.ts";

/** The parts that are sent whole if anything in them changed. */
const WHOLE = [
  "status",
  "load",
  "roles",
  "sessionCount",
  "recovery",
  "waits",
  "recoverySpans",
  "callSpans",
] as const;
const RECORDS = ["calls", "failures", "episodes"] as const;

/** The part of a state that is compared. New records are known already. */
type Compared = Pick<ConsoleState, (typeof WHOLE)[number] | "sessions">;

/** Returns the change from one state to the next; undefined if they are equal. */
export function changeBetween(before: Compared, after: Compared): ConsoleChange | undefined {
  const change: ConsoleChange = {};
  for (const part of WHOLE)
    if (!isEqual(before[part], after[part])) Object.assign(change, { [part]: after[part] });
  const sessions = sessionChanges(before.sessions, after.sessions);
  if (sessions) change.sessions = sessions;
  return Object.keys(change).length > 0 ? change : undefined;
}

/** Returns the state after the change. Records have a bound: the oldest go. */
export function changed(state: ConsoleState, change: ConsoleChange): ConsoleState {
  const { sessions, calls, failures, episodes, ...whole } = change;
  const records = { calls, failures, episodes };
  const next: ConsoleState = { ...state, ...whole };
  for (const part of RECORDS) {
    const more = records[part] ?? [];
    if (more.length > 0) Object.assign(next, { [part]: [...state[part], ...more].slice(-RECORDS_MAX) });
  }
  if (sessions) next.sessions = withSessions(state.sessions, sessions);
  return next;
}

function sessionChanges(
  before: ConsoleState["sessions"],
  after: ConsoleState["sessions"],
): ConsoleChange["sessions"] {
  const changes: Record<string, SessionView | null> = {};
  for (const [key, session] of Object.entries(after))
    if (!isEqual(before[key], session)) changes[key] = session;
  for (const key of Object.keys(before)) if (!(key in after)) changes[key] = null;
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function withSessions(
  before: ConsoleState["sessions"],
  changes: Record<string, SessionView | null>,
): ConsoleState["sessions"] {
  const next = { ...before };
  for (const [key, session] of Object.entries(changes)) {
    if (session) next[key] = session;
    else delete next[key];
  }
  return next;
}

/** The values are what JSON can hold. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const [left, right] = [Object.entries(one), Object.keys(other)];
  return (
    left.length === right.length &&
    left.every(([key, value]) => isEqual(value, (other as Record<string, unknown>)[key]))
  );
}
