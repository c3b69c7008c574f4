// Decides which session ends for a client's next one, or that the client can begin none.
import { fail } from "../../proto/errors/catalogue.ts";
import { counted } from "../../proto/text/counted.ts";
import type { Client } from "../admission/client.ts";
import { givesWay } from "./fairness.ts";
import { endOf, longestUnusedFirst, type Session, type SessionLimits } from "./session.ts";

type All = Pick<ReadonlyMap<string, Session>, "size" | "values">;

/** The number of sessions that an error names. */
const HOLDERS_MAX = 20;

/** Returns the session that ends to keep a client within its own limit. Throws BUSY if all its sessions are in use. */
export function sessionOverOwnLimit(
  { name, sessions: most }: Client,
  all: All,
  limits: SessionLimits,
  nowMs: number,
): Session | undefined {
  if (most === undefined) return undefined;
  const own = sessionsOf(name, all);
  if (own.length < most) return undefined;
  const limit = `${name} may have ${counted(most, "session")} at once`;
  return own.find(isUnused) ?? busy(own, { limit, retryAfterMs: firstEndInMs(own, limits, nowMs) });
}

/**
 * Returns the session that ends to keep all clients within the common limit: an unused one, or one of a client above
 * its share. Throws BUSY if this client has its own share already.
 */
export function sessionOverLimit(
  { name }: Client,
  sessions: All,
  limits: SessionLimits,
  nowMs: number,
): Session | undefined {
  const { sessions: most } = limits;
  if (sessions.size < most) return undefined;
  const all = [...sessions.values()];
  const unused = all.find(isUnused);
  if (unused) return unused;
  const counts = new Map<string, number>();
  for (const { client } of all) counts.set(client, (counts.get(client) ?? 0) + 1);
  const other = givesWay(name, counts, most);
  const idle = all.filter(({ client, callsUnderWay }) => client === other && callsUnderWay === 0);
  const own = sessionsOf(name, sessions);
  return (
    longestUnusedFirst(idle)[0] ??
    busy(own, {
      limit: `${counted(most, "session")} at once`,
      others: all.length - own.length,
      retryAfterMs: firstEndInMs(all, limits, nowMs),
    })
  );
}

/** Returns true for a session whose calls were all refused. */
export function isUnused({ visits, callsUnderWay, holds, hasAnswered }: Session): boolean {
  return visits.size === 0 && callsUnderWay === 0 && holds === 0 && !hasAnswered;
}

function sessionsOf(name: string, all: All): Session[] {
  return [...all.values()].filter(({ client }) => client === name);
}

function firstEndInMs(sessions: readonly Session[], limits: SessionLimits, nowMs: number): number {
  const ends = sessions.map((session) => endOf(session, limits, nowMs).atMs);
  return Math.max(1000, Math.ceil(Math.min(...ends) - nowMs));
}

/** Throws the error of a client that may not begin one more session. `own`: those that it has. */
function busy(
  own: readonly Session[],
  limit: { limit: string; others?: number; retryAfterMs: number },
): never {
  const holders = longestUnusedFirst(own).slice(0, HOLDERS_MAX);
  throw fail("BUSY", { ...limit, holders: holders.map(({ id }) => id), own: "sessions" });
}
