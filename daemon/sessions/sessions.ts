// The sessions: their owners, their current roles, and their ends.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import { RESUMES_ONCE } from "../../proto/wire/metadata.ts";
import type { Caller } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import { givesWay } from "./fairness.ts";

/** A session's state in a role. */
export interface Visit {
  /**
   * The role's worker deaths that this session knows of; infinite in hibernation, because no death concerns it then.
   */
  deathsKnown: number;
  /** Set while the session hibernates in the role. With "told", its next call need not report that. */
  rests?: "untold" | "told" | undefined;
  /** The reason for the end of its state there, if no worker of the role has died. */
  why?: string;
}

/** For a role in which the session was awake in the daemon before this one. It knows of no death since. */
const NOTHING_KNOWN: Visit = { deathsKnown: -1, rests: "told" };
/** For a role in which the session hibernated then. */
const AT_REST: Visit = { deathsKnown: Number.POSITIVE_INFINITY, rests: "untold" };

/** One client's use of the daemon. */
export interface Session {
  id: string;
  client: string;
  key: string;
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
  "key" | "id" | "client" | "currentRole" | "createdAtMs" | "usedAtMs"
> & {
  roles: string[];
  /** The roles in which it hibernated. */
  resting: string[];
};

export type SessionChange = "opened" | "closed" | "expired";

export interface SessionLimits {
  /** The most sessions at once, awake or hibernated. */
  sessions: number;
  sessionIdle: number;
  sessionMax: number;
}

/** The time that a session outlives the last stream that held it. */
export const HOLD_GRACE_MS = 60_000;
/** The number of ended sessions that are remembered, for clients that come back. */
const ENDS_MAX = 10_000;
/** The longest last address that is remembered. It bounds the memory for 10,000 of them. */
const ADDRESS_LENGTH_MAX = 500;

/** The number of sessions that an error names. */
const HOLDERS_MAX = 20;

/** The end of a session. */
interface End {
  reason: string;
  /** The address of its current tab. */
  url?: string;
}

/** All sessions. */
export class Sessions implements Disposable {
  /** Called after each change. */
  changed: (session: Session, change: SessionChange) => void = () => undefined;
  readonly #sessions = new Map<string, Session>();
  /** Returns the address of a session's current tab; undefined if it is unknown. */
  lastAddress: (session: Session) => string | undefined = () => undefined;
  readonly #ends = new Map<string, End>();
  readonly #limits: SessionLimits;
  #firstRole: string;
  readonly #clock: Clock;
  #alarm: (Alarm & { atMs: number }) | undefined;

  constructor(limits: SessionLimits, firstRole: string, clock: Clock) {
    this.#limits = limits;
    this.#firstRole = firstRole;
    this.#clock = clock;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Returns the number of sessions that hibernate in the role. */
  restingIn(role: string): number {
    let resting = 0;
    for (const { visits } of this.#sessions.values()) if (visits.get(role)?.rests) resting++;
    return resting;
  }

  /** Returns the session that was not used for longest, of those that hibernate in all of their roles. */
  longestAtRest(): Session | undefined {
    const resting = this.list().filter(
      ({ visits, callsUnderWay }) =>
        callsUnderWay === 0 && visits.size > 0 && [...visits.values()].every(({ rests }) => rests),
    );
    return resting.sort((one, other) => one.since.used - other.since.used)[0];
  }

  /** Returns the sessions, oldest first. */
  list(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Returns the caller's session, if it has one. */
  of({ key }: Pick<Caller, "key">): Session | undefined {
    return this.#sessions.get(key);
  }

  /**
   * Returns the caller's session, or a new one. Throws SESSION_EXPIRED if the earlier session has ended, and
   * SESSION_LOST if the caller resumes an unknown one. A caller with its own resume word gets that error in every call
   * with that word: some of them may have been sent before the error arrived. Other callers get it once. Throws BUSY if
   * the client has all the sessions that it may have. `firstRole` is the current role of a new session.
   */
  open(caller: Caller, firstRole = this.#firstRole): Session {
    const found = this.#sessions.get(caller.key);
    if (found) {
      const { before } = found;
      if (before && before.word !== RESUMES_ONCE && before.word === caller.resumes) throw before.error;
      this.#use(found);
      return found;
    }
    const fresh = this.#create(caller, firstRole);
    const end = this.#ends.get(caller.key);
    this.#ends.delete(caller.key);
    if (caller.resumes === undefined && !end) return fresh;
    const error = end ? expired(caller.session, end) : fail("SESSION_LOST", { session: caller.session });
    if (caller.resumes !== undefined) fresh.before = { word: caller.resumes, error };
    throw error;
  }

  /**
   * Restores a session of the daemon before this one, with its remaining roles. Its idle time begins again, because no
   * client could use it meanwhile. Returns undefined if it has reached its maximum age, or if there are too many
   * sessions.
   */
  restore({ roles, resting, ...kept }: StoredSession): Session | undefined {
    const now = this.#clock.now();
    const { sessionMax, sessions } = this.#limits;
    if (kept.createdAtMs + sessionMax <= now || this.#sessions.size >= sessions) return undefined;
    const session = this.#begun({ ...kept, usedAtMs: now });
    session.hasAnswered = true;
    for (const role of roles)
      session.visits.set(role, { ...(resting.includes(role) ? AT_REST : NOTHING_KNOWN) });
    return session;
  }

  /** Notes that the session hibernates in the role. Its next call still reports earlier deaths. */
  rested(session: Session, role: string, deaths: number): void {
    const { deathsKnown } = session.visits.get(role) ?? { deathsKnown: deaths };
    session.visits.set(role, deathsKnown < deaths ? { deathsKnown, rests: "told" } : { ...AT_REST });
  }

  /** Counts a call of the session until the caller calls the returned function. */
  begin(session: Session): () => void {
    session.callsUnderWay++;
    return () => {
      session.callsUnderWay--;
      this.#use(session);
    };
  }

  /**
   * Returns the caller's session, or a new one, for requests that are no tool call. Throws SESSION_LOST for a caller
   * with an earlier session, and begins no new one: the caller's next tool call must report the loss.
   */
  beside(caller: Caller, firstRole?: string): Session {
    const isKnown = caller.resumes === undefined && !this.#ends.has(caller.key);
    if (!isKnown && !this.#sessions.has(caller.key)) throw fail("SESSION_LOST", { session: caller.session });
    return this.open(caller, firstRole);
  }

  /** Holds the caller's session, which it finds as {@link beside} does. */
  holdOf(caller: Caller, firstRole?: string): () => void {
    return this.hold(this.beside(caller, firstRole));
  }

  /**
   * Holds the session until the caller calls the returned function. A held session ends like any other. A minute after
   * the last hold it ends, unless a call is under way or a new hold begins.
   */
  hold(session: Session): () => void {
    session.holds++;
    session.since.released = undefined;
    return () => {
      if (--session.holds > 0 || !this.#sessions.has(session.key)) return;
      this.#use(session);
      session.since.released = session.since.used;
      this.#expectEnd(session);
    };
  }

  /** Ends a session. `why` goes to its client if that comes back. */
  close(session: Session, change: SessionChange = "closed", why = "it was closed"): void {
    if (!this.#sessions.has(session.key)) return;
    const url = this.lastAddress(session);
    this.#sessions.delete(session.key);
    const end = { reason: why, ...(url && url.length <= ADDRESS_LENGTH_MAX && { url }) };
    keepNewest(this.#ends, session.key, end, ENDS_MAX);
    session.over.abort(expired(session.id, end));
    this.changed(session, change);
  }

  /** Returns why the session of that key has ended, if its end is remembered. */
  whyEnded(key: string): string | undefined {
    return this.#ends.get(key)?.reason;
  }

  /** Applies changed limits and another first role. */
  limitsChanged(firstRole: string): void {
    this.#firstRole = firstRole;
    for (const session of this.#sessions.values()) this.#expectEnd(session);
  }

  [Symbol.dispose](): void {
    this.#alarm?.cancel();
  }

  #create({ session: id, client, key }: Caller, currentRole: string): Session {
    if (client.sessions !== undefined) this.#boundOwn(client, client.sessions);
    if (this.#sessions.size >= this.#limits.sessions) this.#makeRoom(client);
    const now = this.#clock.now();
    const session = this.#begun({
      id,
      client: client.name,
      key,
      currentRole,
      createdAtMs: now,
      usedAtMs: now,
    });
    this.changed(session, "opened");
    return session;
  }

  #use(session: Session): void {
    session.usedAtMs = this.#clock.now();
    session.since.used = this.#clock.steady();
  }

  #begun(given: Omit<StoredSession, "roles" | "resting">): Session {
    const now = this.#clock.steady();
    const ageMs = Math.max(0, this.#clock.now() - given.createdAtMs);
    const session: Session = {
      ...given,
      since: { created: now - ageMs, used: now, released: undefined },
      before: undefined,
      visits: new Map(),
      mayLack: new Set(),
      over: new AbortController(),
      callsUnderWay: 0,
      hasAnswered: false,
      holds: 0,
    };
    this.#sessions.set(session.key, session);
    this.#expectEnd(session);
    return session;
  }

  /** Keeps a client within its own limit. Throws BUSY if all its sessions are in use. */
  #boundOwn({ name }: Client, most: number): void {
    const own = this.#sessionsOf(name);
    if (own.length < most || this.#endUnused(own)) return;
    throw tooMany(own, {
      limit: `${name} may have ${most} ${most === 1 ? "session" : "sessions"} at once`,
      retryAfterMs: this.#firstEndInMs(own),
    });
  }

  /** Ends an unused session, or one of a client above its share. Throws BUSY if this client has its own share already. */
  #makeRoom({ name }: Client): void {
    const { sessions: most } = this.#limits;
    const all = this.list();
    if (this.#endUnused(all)) return;
    const counts = new Map<string, number>();
    for (const { client } of all) counts.set(client, (counts.get(client) ?? 0) + 1);
    const other = givesWay(name, counts, most);
    const [longest] = longestUnusedFirst(
      all.filter(({ client, callsUnderWay }) => client === other && callsUnderWay === 0),
    );
    if (longest) {
      this.close(longest, "expired", "another client had less than its share of all sessions");
      return;
    }
    const own = this.#sessionsOf(name);
    throw tooMany(own, {
      limit: `${most} ${most === 1 ? "session" : "sessions"} at once`,
      others: all.length - own.length,
      retryAfterMs: this.#firstEndInMs(all),
    });
  }

  /** Ends one whose calls were all refused. Its client need not know, because it has lost nothing. */
  #endUnused(sessions: readonly Session[]): boolean {
    const unused = sessions.find(
      ({ visits, callsUnderWay, holds, hasAnswered }) =>
        visits.size === 0 && callsUnderWay === 0 && holds === 0 && !hasAnswered,
    );
    if (!unused) return false;
    this.close(unused, "expired");
    this.#ends.delete(unused.key);
    return true;
  }

  #firstEndInMs(sessions: readonly Session[]): number {
    const nowMs = this.#clock.steady();
    const ends = sessions.map((session) => endOf(session, this.#limits, nowMs).atMs);
    return Math.max(1000, Math.ceil(Math.min(...ends) - nowMs));
  }

  #sessionsOf(client: string): Session[] {
    return this.list().filter((session) => session.client === client);
  }

  /** One alarm serves the session that ends first. Use only postpones an end, so the alarm may be early, never late. */
  #expectEnd(session: Session): void {
    const now = this.#clock.steady();
    const { atMs } = endOf(session, this.#limits, now);
    if (this.#alarm && this.#alarm.atMs <= atMs) return;
    this.#alarm?.cancel();
    const alarm = this.#clock.after(atMs - now, () => this.#expire());
    this.#alarm = { atMs, cancel: () => alarm.cancel() };
  }

  #expire(): void {
    this.#alarm = undefined;
    const now = this.#clock.steady();
    for (const session of this.list()) {
      const { atMs, why } = endOf(session, this.#limits, now);
      if (atMs <= now) this.close(session, "expired", why);
    }
    for (const session of this.#sessions.values()) this.#expectEnd(session);
  }
}

/** The error of a client that may not begin one more session. `own`: those that it has. */
function tooMany(
  own: readonly Session[],
  limit: { limit: string; others?: number; retryAfterMs: number },
): TroupeError {
  const holders = longestUnusedFirst(own).slice(0, HOLDERS_MAX);
  return fail("BUSY", { ...limit, holders: holders.map(({ id }) => id), own: "sessions" });
}

function longestUnusedFirst(sessions: readonly Session[]): Session[] {
  return sessions.toSorted((one, other) => one.since.used - other.since.used);
}

function expired(session: string, end: End): TroupeError {
  return fail("SESSION_EXPIRED", { session, ...end });
}

/**
 * Returns the time of the session's end by the steady clock if it is not used, and the reason. A stream that holds the
 * session is not use: its client may have stopped long ago.
 */
function endOf(session: Session, limits: SessionLimits, nowMs: number): { atMs: number; why: string } {
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
