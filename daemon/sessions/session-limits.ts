// Decides which session ends for a client's next one, or that the client can begin none.
import { fail } from "../../proto/errors/catalogue.ts";
import { counted } from "../../proto/text/counted.ts";
import type { Client } from "../admission/client.ts";
import { givesWay } from "./fairness.ts";
import { endOf, longestUnusedFirst, type Session, type SessionLimits } from "./session.ts";

/** A client that begins a session, and all sessions so far. The time is by the steady clock. */
export interface Newcomer {
  client: Client;
  all: readonly Session[];
  limits: SessionLimits;
  nowMs: number;
}

/** The number of sessions that an error names. */
const HOLDERS_MAX = 20;

/** Returns the session that ends to keep a client within its own limit. Throws BUSY if all its sessions are in use. */
export function overOwnLimit(newcomer: Newcomer): Session | undefined {
  const { name, sessions: most = Number.POSITIVE_INFINITY } = newcomer.client;
  const own = ownOf(newcomer);
  if (own.length < most) return undefined;
  const limit = `${name} may have ${counted(most, "session")} at once`;
  return own.find(isUnused) ?? busy(newcomer, own, { limit });
}

/**
 * Returns the session that ends to keep all clients within the common limit: an unused one, or one of a client above
 * its share. Throws BUSY if this client has its own share already.
 */
export function overCommonLimit(newcomer: Newcomer): Session | undefined {
  const { client, all, limits } = newcomer;
  if (all.length < limits.sessions) return undefined;
  const counts = new Map<string, number>();
  for (const session of all) counts.set(session.client, (counts.get(session.client) ?? 0) + 1);
  const other = givesWay(client.name, counts, limits.sessions);
  const idle = all.filter((session) => session.client === other && session.callsUnderWay === 0);
  const limit = `${counted(limits.sessions, "session")} at once`;
  const others = all.length - ownOf(newcomer).length;
  return all.find(isUnused) ?? longestUnusedFirst(idle)[0] ?? busy(newcomer, all, { limit, others });
}

/** Returns true for a session whose calls were all refused. A stream holds its connection's own session. */
export function isUnused({ visits, callsUnderWay, hold, name, hasAnswered }: Session): boolean {
  const isHeld = name === undefined && hold.streams > 0;
  return visits.size === 0 && callsUnderWay === 0 && !isHeld && !hasAnswered;
}

function ownOf({ client, all }: Newcomer): Session[] {
  return all.filter((session) => session.client === client.name);
}

/** `limited` are the sessions that the limit counts. One of them must end first. */
function busy(
  newcomer: Newcomer,
  limited: readonly Session[],
  limit: { limit: string; others?: number },
): never {
  const { limits, nowMs } = newcomer;
  const ends = limited.map((session) => endOf(session, limits, nowMs).atMs);
  const retryAfterMs = Math.max(1000, Math.ceil(Math.min(...ends) - nowMs));
  const holders = longestUnusedFirst(ownOf(newcomer)).slice(0, HOLDERS_MAX);
  throw fail("BUSY", { ...limit, retryAfterMs, holders: holders.map(({ id }) => id), own: "sessions" });
}
