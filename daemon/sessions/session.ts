// One client's session: its state in each role, and the time of its end.
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import type { Door } from "../admission/client.ts";
import type { Visit } from "./visit.ts";

/** One client's use of the daemon. */
export interface Session {
  id: string;
  client: string;
  key: string;
  /** The name that calls give it, if it is not its connection's own session. */
  name?: string | undefined;
  /** The connection of its newest call; undefined after a restart of the daemon. */
  connection?: { program: string | undefined; door: Door | undefined };
  currentRole: string;
  /** Dates in milliseconds since the epoch, for reports and for the store. */
  createdAtMs: number;
  usedAtMs: number;
  /** Times by the steady clock. They decide the session's end, even if the machine's clock is set. */
  since: { created: number; used: number; released: number | undefined };
  /** The resume word that still means the session before this one, and the error for calls with it. */
  before: { word: string; error: TroupeError } | undefined;
  /** The roles that it has touched. */
  visits: Map<string, Visit>;
  /** The roles whose last reply may not have reached the client, because it went away before the end. */
  mayLack: Set<string>;
  /** Aborted when the session is over. */
  over: AbortController;
  callsUnderWay: number;
  /** A call of it has succeeded. Without that and without visits, the session has nothing to lose. */
  hasAnswered: boolean;
  /** The streams that hold the session. After the last of them it ends soon. */
  holds: number;
}

/** A session as it is stored for the next daemon. */
export type StoredSession = Pick<
  Session,
  "key" | "id" | "client" | "name" | "currentRole" | "createdAtMs" | "usedAtMs"
> & {
  roles: string[];
  /** The roles in which it hibernated. */
  resting: string[];
};

export interface SessionLimits {
  /** The most sessions at once, awake or hibernated. */
  sessions: number;
  sessionIdle: number;
  sessionMax: number;
}

/** The time that a session outlives the last stream that held it. */
export const HOLD_GRACE_MS = 60_000;

/** Returns the sessions, the one that was not used for longest first. */
export function longestUnusedFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((one, other) => one.since.used - other.since.used);
}

/**
 * Returns the time of the session's end by the steady clock if it is not used, and the reason. A stream that holds the
 * session is not use: its client may have stopped long ago.
 */
export function endOf(session: Session, limits: SessionLimits, nowMs: number): { atMs: number; why: string } {
  const { since } = session;
  const isUsed = session.callsUnderWay > 0;
  const idleAtMs = (isUsed ? nowMs : since.used) + limits.sessionIdle;
  const maxAtMs = Math.max(since.created + limits.sessionMax, isUsed ? nowMs + 1000 : 0);
  const goneAtMs =
    isUsed || session.holds > 0 || since.released === undefined
      ? Number.POSITIVE_INFINITY
      : since.released + HOLD_GRACE_MS;
  const ends = [
    { atMs: idleAtMs, why: `it was not used for ${limits.sessionIdle / 1000} s` },
    { atMs: maxAtMs, why: `it was ${limits.sessionMax / 1000} s old, the longest allowed` },
    { atMs: goneAtMs, why: "its client was gone" },
  ];
  return ends.reduce((first, each) => (each.atMs < first.atMs ? each : first));
}
