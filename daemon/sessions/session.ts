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
  /** Its newest call that has ended; undefined before that. */
  lastCall?: { tool: string; role: string; outcome: string; atMs: number };
  /** Dates in milliseconds since the epoch, for reports and for the store. */
  createdAtMs: number;
  usedAtMs: number;
  /** Times by the steady clock. They decide the session's end, even if the machine's clock is set. */
  since: { created: number; used: number };
  /** The resume word that still means the session before this one, and the error for calls with it. */
  before: { word: string; error: TroupeError } | undefined;
  /** The roles that it has touched. */
  visits: Map<string, Visit>;
  /** Its roles that this daemon does not have, but another one of the same store may. */
  rolesElsewhere?: readonly string[];
  /** The roles whose last reply may not have reached the client, because it went away before the end. */
  mayLack: Set<string>;
  /** Aborted when the session is over. */
  over: AbortController;
  callsUnderWay: number;
  /** A call of it has succeeded. Without that and without visits, the session has nothing to lose. */
  hasAnswered: boolean;
  /** All sessions of a connection share it. */
  hold: Hold;
}

/**
 * The open streams of a connection. Its sessions end soon after the last one, unless the client calls again. The time
 * is by the steady clock.
 */
export interface Hold {
  streams: number;
  endedAtMs: number | undefined;
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

/** The time that a session outlives the last stream of its connection, and its last call. */
export const HOLD_GRACE_MS = 60_000;

/** Returns the sessions, the one that was not used for longest first. */
export function longestUnusedFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((one, other) => one.since.used - other.since.used);
}

/** The end of a session. `isAge`: it is too old, which says nothing of the other sessions of its connection. */
export interface ExpectedEnd {
  atMs: number;
  why: string;
  isAge?: boolean;
}

/**
 * Returns the session's end by the steady clock if it is not used. A stream that holds the session is not use: its
 * client may have stopped long ago.
 */
export function endOf(
  { since, hold, callsUnderWay }: Session,
  limits: SessionLimits,
  nowMs: number,
): ExpectedEnd {
  const isUsed = callsUnderWay > 0;
  const idleAtMs = (isUsed ? nowMs : since.used) + limits.sessionIdle;
  const maxAtMs = Math.max(since.created + limits.sessionMax, isUsed ? nowMs + 1000 : 0);
  const goneAtMs =
    isUsed || hold.streams > 0 || hold.endedAtMs === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(hold.endedAtMs, since.used) + HOLD_GRACE_MS;
  const ends: ExpectedEnd[] = [
    { atMs: idleAtMs, why: `it was not used for ${limits.sessionIdle / 1000} s` },
    { atMs: maxAtMs, why: `it was ${limits.sessionMax / 1000} s old, the longest allowed`, isAge: true },
    { atMs: goneAtMs, why: "its client was gone" },
  ];
  return ends.reduce((first, each) => (each.atMs < first.atMs ? each : first));
}
