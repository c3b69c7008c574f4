// The sessions: who has one, which role is current in it, and when it is over.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import { RESUMES_ONCE } from "../../proto/wire/metadata.ts";
import type { Caller } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import { givesWay } from "./fairness.ts";

/** What a session has to do with a role. */
export interface Visit {
  /** How many of the role's worker deaths this session was told of; infinite at rest, as none of them concerns it. */
  deathsKnown: number;
  /** It has no context there, until its next call. "told": that call need not say so, as it has learned of it otherwise. */
  rests?: "untold" | "told" | undefined;
  /** Why what it had there ended, where no worker of the role has died. */
  why?: string;
}

/** Of a role in which the daemon before this one had the session awake: whatever has died since, it was not told. */
const NOTHING_KNOWN: Visit = { deathsKnown: -1, rests: "told" };
/** Of one in which it was at rest then. */
const AT_REST: Visit = { deathsKnown: Number.POSITIVE_INFINITY, rests: "untold" };

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
  /** Those of them whose last reply the client may not have had: it was gone before the end of that. */
  mayLack: Set<string>;
  /** Aborted when the session is over. */
  over: AbortController;
  callsUnderWay: number;
  /** Streams that hold it; with none left of those it had, it ends soon. */
  holds: number;
}

/** A session as it is kept for a daemon after this one. */
export type StoredSession = Pick<
  Session,
  "key" | "id" | "client" | "currentRole" | "createdAtMs" | "usedAtMs"
> & {
  roles: string[];
  /** Those of the roles in which it was at rest. */
  resting: string[];
};

export type SessionChange = "opened" | "closed" | "expired";

export interface SessionLimits {
  /** How many may be at once, awake or at rest. */
  sessions: number;
  sessionIdle: number;
  sessionMax: number;
}

/** How long a session outlives the last stream that held it. */
export const HOLD_GRACE_MS = 60_000;
/** Ends of sessions that are remembered, to tell who comes back. */
const ENDS_MAX = 10_000;
/** Of a last address that is remembered: the mind of 10,000 of them is bounded. */
const ADDRESS_LENGTH_MAX = 500;

/** Sessions that an error names. */
const HOLDERS_MAX = 20;

/** How a session ended. */
interface End {
  reason: string;
  /** What its current tab showed. */
  url?: string;
}

/** All sessions. */
export class Sessions implements Disposable {
  /** Hears of each change, once it has taken place. */
  changed: (session: Session, change: SessionChange) => void = () => undefined;
  readonly #sessions = new Map<string, Session>();
  /** The address that a session's current tab shows; undefined where it is not known. */
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

  /** How many are at rest in the role. */
  restingIn(role: string): number {
    let resting = 0;
    for (const { visits } of this.#sessions.values()) if (visits.get(role)?.rests) resting++;
    return resting;
  }

  /** Of those that are at rest in all of their roles, the one that nobody has used for longest. */
  longestAtRest(): Session | undefined {
    const resting = this.list().filter(
      ({ visits, callsUnderWay }) =>
        callsUnderWay === 0 && visits.size > 0 && [...visits.values()].every(({ rests }) => rests),
    );
    return resting.sort((one, other) => one.since.used - other.since.used)[0];
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
   * The caller's session, new where there is none. Throws SESSION_EXPIRED where the one before has ended, and SESSION_LOST
   * to who resumes one that is unknown: once, or in every call that has his word for the session before, as those may have
   * been sent before he heard of it. BUSY to whom has as many as he may. `firstRole`: the current one of a new session.
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
   * A session of the daemon before this one goes on, with those of its roles that are left. Its idle time begins anew, as
   * nobody could use it meanwhile. Undefined where it has reached its age.
   */
  restore({ roles, resting, ...kept }: StoredSession): Session | undefined {
    const now = this.#clock.now();
    const { sessionMax, sessions } = this.#limits;
    if (kept.createdAtMs + sessionMax <= now || this.#sessions.size >= sessions) return undefined;
    const session = this.#begun({ ...kept, usedAtMs: now });
    for (const role of roles)
      session.visits.set(role, { ...(resting.includes(role) ? AT_REST : NOTHING_KNOWN) });
    return session;
  }

  /** A session has been put to rest in the role; what it has not been told of, it still is. */
  rested(session: Session, role: string, deaths: number): void {
    const { deathsKnown } = session.visits.get(role) ?? { deathsKnown: deaths };
    session.visits.set(role, deathsKnown < deaths ? { deathsKnown, rests: "told" } : { ...AT_REST });
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
    const isKnown = caller.resumes === undefined && !this.#ends.has(caller.key);
    if (!isKnown && !this.#sessions.has(caller.key)) throw fail("SESSION_LOST", { session: caller.session });
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
    if (!this.#sessions.has(session.key)) return;
    const url = this.lastAddress(session);
    this.#sessions.delete(session.key);
    const end = { reason: why, ...(url && url.length <= ADDRESS_LENGTH_MAX && { url }) };
    keepNewest(this.#ends, session.key, end, ENDS_MAX);
    session.over.abort(expired(session.id, end));
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
    const own = client.sessions === undefined ? [] : this.#sessionsOf(client.name);
    if (client.sessions !== undefined && own.length >= client.sessions) throw this.#tooMany(client, own);
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
      holds: 0,
    };
    this.#sessions.set(session.key, session);
    this.#expectEnd(session);
    return session;
  }

  /** Ends a session of a client that has more than its share. Throws BUSY where this one has its own share already. */
  #makeRoom({ name }: Client): void {
    const { sessions: most } = this.#limits;
    const counts = new Map<string, number>();
    for (const { client } of this.#sessions.values()) counts.set(client, (counts.get(client) ?? 0) + 1);
    const other = givesWay(name, counts, most);
    const idle = this.list().filter(({ client, callsUnderWay }) => client === other && callsUnderWay === 0);
    const [longest] = idle.sort((one, each) => one.since.used - each.since.used);
    if (!longest) throw this.#allTaken(name);
    this.close(longest, "expired", "another client had less than its share of all sessions");
  }

  #allTaken(client: string): TroupeError {
    const all = this.list();
    const own = all.filter((session) => session.client === client).map(({ id }) => id);
    return fail("BUSY", {
      limit: `${this.#limits.sessions} sessions at once`,
      holders: own.slice(0, HOLDERS_MAX),
      others: all.length - own.length,
      retryAfterMs: this.#firstEndInMs(all),
    });
  }

  #firstEndInMs(sessions: readonly Session[]): number {
    const nowMs = this.#clock.steady();
    const ends = sessions.map((session) => endOf(session, this.#limits, nowMs).atMs);
    return Math.max(1000, Math.ceil(Math.min(...ends) - nowMs));
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
    return fail("BUSY", {
      limit: `${name} may have ${sessions} ${sessions === 1 ? "session" : "sessions"} at once`,
      holders: own.map(({ id }) => id),
      own: "sessions",
      retryAfterMs: this.#firstEndInMs(own),
    });
  }
}

function expired(session: string, end: End): TroupeError {
  return fail("SESSION_EXPIRED", { session, ...end });
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
