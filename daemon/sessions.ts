// The sessions: who has one, which role is current in it, and when it is over.
import { fail, type TroupeError } from "../proto/errors.ts";
import { RESUMES_ONCE } from "../proto/metadata.ts";
import { keepNewest } from "../proto/newest.ts";
import type { Client } from "./admission/client.ts";
import type { Caller } from "./calls/caller.ts";
import type { Alarm, Clock } from "./clock.ts";

/** What a session has to do with a role. */
export interface Visit {
  /** How many of the role's worker deaths this session was told of. */
  deathsKnown: number;
}

/** Of a role in which the daemon before this one had the session: whatever has died since, it was not told. */
const NOTHING_KNOWN: Visit = { deathsKnown: -1 };

/** One client's use of the daemon. */
export interface Session {
  id: string;
  client: string;
  key: string;
  currentRole: string;
  /** Dates, in milliseconds since the epoch: told, and kept. */
  createdAtMs: number;
  usedAtMs: number;
  /** Since when, by the steady clock: it ends by these, however the dates move. */
  since: { created: number; used: number; released: number | undefined };
  /** What its client is told that still means the session before this one. */
  before: { word: string; error: TroupeError } | undefined;
  /** The roles it has touched. */
  visits: Map<string, Visit>;
  /** Aborted when the session is over. */
  over: AbortController;
  callsUnderWay: number;
  /** Streams that hold it; with none left of those it had, it ends soon. */
  holds: number;
}

/** A session as it is kept for a daemon after this one. */
export type KeptSession = Pick<
  Session,
  "key" | "id" | "client" | "currentRole" | "createdAtMs" | "usedAtMs"
> & { roles: string[] };

export type SessionChange = "opened" | "closed" | "expired";

export interface SessionLimits {
  sessionIdle: number;
  sessionMax: number;
}

/** How long a session outlives the last stream that held it. */
export const HOLD_GRACE_MS = 60_000;
/** Sessions of the whole daemon: each role's places are fewer, but not every session takes one. */
export const SESSIONS_MAX = 10_000;
/** Ends of sessions that are remembered, to tell who comes back. */
const ENDS_MAX = 1000;

/** All sessions. */
export class Sessions implements Disposable {
  /** Hears of each change, once it has taken place. */
  changed: (session: Session, change: SessionChange) => void = () => undefined;
  readonly #sessions = new Map<string, Session>();
  /** The address that a session's current tab shows; undefined where it is not known. */
  lastAddress: (session: Session) => string | undefined = () => undefined;
  readonly #ends = new Map<string, { reason: string; url?: string }>();
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

  /** Oldest first. */
  list(): Session[] {
    return [...this.#sessions.values()];
  }

  /** The caller's session, where he has one. */
  of({ key }: Pick<Caller, "key">): Session | undefined {
    return this.#sessions.get(key);
  }

  /**
   * The caller's session, new where there is none. Throws SESSION_LOST or SESSION_EXPIRED to whom it was not new: once, or in
   * every call that has his word for the session before, as those may have been sent before he heard of it. BUSY to whom
   * has as many as he may. `firstRole`: the current one of a new session.
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
    if (caller.resumes === undefined) return fresh;
    const error = end
      ? fail("SESSION_EXPIRED", { session: caller.session, ...end })
      : fail("SESSION_LOST", { session: caller.session });
    fresh.before = { word: caller.resumes, error };
    throw error;
  }

  /**
   * A session of the daemon before this one goes on, with those of its roles that are left. Its idle time begins anew, as
   * nobody could use it meanwhile. Undefined where it has reached its age.
   */
  restore({ key, id, client, currentRole, createdAtMs, roles }: KeptSession): Session | undefined {
    const now = this.#clock.now();
    if (createdAtMs + this.#limits.sessionMax <= now || this.#sessions.size >= SESSIONS_MAX) return undefined;
    const session = this.#begun({ key, id, client, currentRole, createdAtMs, usedAtMs: now });
    for (const role of roles) session.visits.set(role, { ...NOTHING_KNOWN });
    return session;
  }

  /** A call of the session is under way until what is returned is called. */
  begin(session: Session): () => void {
    session.callsUnderWay++;
    return () => {
      session.callsUnderWay--;
      this.#use(session);
    };
  }

  /**
   * The caller's session, new where he has not used it before, for what is no call of a tool. Throws SESSION_LOST to whom
   * it was not new, and begins none: his next call is to be told of it.
   */
  beside(caller: Caller, firstRole?: string): Session {
    if (caller.resumes !== undefined && !this.#sessions.has(caller.key))
      throw fail("SESSION_LOST", { session: caller.session });
    return this.open(caller, firstRole);
  }

  /** Holds the caller's session as {@link beside} finds it. */
  holdOf(caller: Caller, firstRole?: string): () => void {
    return this.hold(this.beside(caller, firstRole));
  }

  /** Without the stream the session ends after a while; with it, as any other. Until what is returned is called. */
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

  /** Ends a session. `why` is told to its client should it come back. */
  close(session: Session, change: SessionChange = "closed", why = "it was closed"): void {
    if (!this.#sessions.delete(session.key)) return;
    const url = this.lastAddress(session);
    const end = { reason: why, ...(url && { url }) };
    keepNewest(this.#ends, session.key, end, ENDS_MAX);
    session.over.abort(fail("SESSION_EXPIRED", { session: session.id, ...end }));
    this.changed(session, change);
  }

  /** The limits say something else now, and another role is the first. */
  limitsChanged(firstRole: string): void {
    this.#firstRole = firstRole;
    for (const session of this.#sessions.values()) this.#expectEnd(session);
  }

  [Symbol.dispose](): void {
    this.#alarm?.cancel();
  }

  #create({ session: id, client, key }: Caller, currentRole: string): Session {
    if (this.#sessions.size >= SESSIONS_MAX) {
      throw fail("BUSY", { limit: `${SESSIONS_MAX} sessions at once`, holders: [], retryAfterMs: 1000 });
    }
    const own = client.sessions === undefined ? [] : this.#sessionsOf(client.name);
    if (client.sessions !== undefined && own.length >= client.sessions) throw this.#tooMany(client, own);
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

  #begun(given: Omit<KeptSession, "roles">): Session {
    const now = this.#clock.steady();
    const ageMs = Math.max(0, this.#clock.now() - given.createdAtMs);
    const session: Session = {
      ...given,
      since: { created: now - ageMs, used: now, released: undefined },
      before: undefined,
      visits: new Map(),
      over: new AbortController(),
      callsUnderWay: 0,
      holds: 0,
    };
    this.#sessions.set(session.key, session);
    this.#expectEnd(session);
    return session;
  }

  #sessionsOf(client: string): Session[] {
    return this.list().filter((session) => session.client === client);
  }

  /** One alarm for whichever session ends first. Use only postpones an end, so that the alarm may come early, never late. */
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

  /** One more may begin as soon as one of them is closed; by itself the first ends when nobody has used it for long. */
  #tooMany({ name, sessions = 0 }: Client, own: readonly Session[]): TroupeError {
    const nowMs = this.#clock.steady();
    const firstEndMs = Math.min(...own.map((session) => endOf(session, this.#limits, nowMs).atMs));
    return fail("BUSY", {
      limit: `${name} may have ${sessions} ${sessions === 1 ? "session" : "sessions"} at once`,
      holders: own.map(({ id }) => id),
      own: "sessions",
      retryAfterMs: Math.max(1000, Math.ceil(firstEndMs - nowMs)),
    });
  }
}

/** When a session ends by the steady clock if nobody uses it, and why. A stream that holds it is no use of it: its client may have stopped long ago. */
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
