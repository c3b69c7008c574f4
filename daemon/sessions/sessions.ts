// The sessions: their owners, their current roles, and their ends.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { keepNewest } from "../../proto/machine/newest.ts";
import { RESUMES_ONCE } from "../../proto/wire/metadata.ts";
import type { Caller } from "../admission/caller.ts";
import { rolesIn } from "../admission/visible.ts";
import type { Alarm, Clock } from "../core/clock.ts";
import { baseKeyOf, ConnectionSessions, connectionKeyOf } from "./connection-sessions.ts";
import { endOf, type Session, type SessionLimits, type StoredSession } from "./session.ts";
import { isUnused, overCommonLimit, overOwnLimit } from "./session-limits.ts";
import { storeUnavailable } from "./unavailable.ts";

/** The number of ended sessions that are remembered, for clients that come back. */
const ENDS_MAX = 10_000;
/** The longest last address that is remembered. It bounds the memory for 10,000 of them. */
const ADDRESS_LENGTH_MAX = 500;

/** `moved`: another daemon has the session or may claim it. */
export type SessionChange = "opened" | "closed" | "expired" | "moved";

/** The parts that sessions need. */
export interface SessionsParts {
  limits: SessionLimits;
  /** The role that a session begins in. */
  firstRole: string;
  clock: Clock;
  /** Called after each change. */
  changed?(session: Session, change: SessionChange): void;
  /** Returns false if another daemon may have the session. Without it, all sessions are this daemon's. */
  owns?(key: string): boolean;
  /** Returns the address of a session's current tab; undefined if it is unknown. */
  lastAddress?(session: Session): string | undefined;
}

/** The end of a session. */
interface End {
  reason: string;
  /** The roles in which it had something. */
  roles: readonly string[];
  /** The address of its current tab. */
  url?: string;
  /** The client ended it itself: its next call begins a new session in this role, and nothing is lost. */
  goesOnIn?: string;
}

/** All sessions. */
export class Sessions implements Disposable {
  readonly #sessions = new Map<string, Session>();
  readonly #ends = new Map<string, End>();
  readonly #connections = new ConnectionSessions();
  readonly #parts: SessionsParts;
  readonly #limits: SessionLimits;
  readonly #clock: Clock;
  #firstRole: string;
  #alarm: (Alarm & { atMs: number }) | undefined;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#limits = parts.limits;
    this.#clock = parts.clock;
    this.#firstRole = parts.firstRole;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** There is no room for another session. */
  get isFull(): boolean {
    return this.#sessions.size >= this.#limits.sessions;
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
   * with that word. Some of them may have been sent before the error arrived. Other callers get it once. Throws BUSY if
   * the client has all the sessions that it may have. `firstRole` is the current role of a new session.
   */
  open(caller: Caller, firstRole = this.#firstRole): Session {
    const found = this.#sessions.get(caller.key);
    if (found) {
      const { before } = found;
      found.connection = connectionOf(caller);
      if (before && before.word !== RESUMES_ONCE && before.word === caller.resumes) throw before.error;
      this.#use(found);
      return found;
    }
    if (this.isElsewhere(caller)) throw storeUnavailable("this daemon does not have the session");
    const end = this.#ends.get(caller.key);
    const fresh = this.#create(caller, end?.goesOnIn ?? firstRole);
    this.#ends.delete(caller.key);
    if (end?.goesOnIn !== undefined || (caller.resumes === undefined && !end)) return fresh;
    const error = end ? expired(caller.session, end) : fail("SESSION_LOST", { session: caller.session });
    if (caller.resumes !== undefined) fresh.before = { word: caller.resumes, error };
    throw error;
  }

  /**
   * Restores a session of another daemon or the one before this, with its remaining roles. Its idle time begins again,
   * because no client could use it meanwhile. `why` is the reason that it was interrupted. Returns undefined if it has
   * reached its maximum age, or if there are too many sessions.
   */
  restore({ roles, resting, ...kept }: StoredSession, why?: string): Session | undefined {
    const now = this.#clock.now();
    const { sessionMax, sessions } = this.#limits;
    if (kept.createdAtMs + sessionMax <= now || this.#sessions.size >= sessions) return undefined;
    const session = this.#begun({ ...kept, usedAtMs: now });
    session.hasAnswered = true;
    for (const role of roles) {
      const isResting = resting.includes(role);
      session.visits.set(
        role,
        isResting
          ? { state: "HIBERNATED", isReported: false }
          : { state: "INTERRUPTED", ...(why && { why }) },
      );
    }
    return session;
  }

  /**
   * Counts a call of the session until the caller calls the returned function. The call of a named session keeps its
   * connection's own session too. It shows that the client is there, even if its stream has ended.
   */
  begin(session: Session): () => void {
    const used = [this.#sessions.get(baseKeyOf(session) ?? ""), session].filter((each) => each !== undefined);
    for (const each of used) each.callsUnderWay++;
    session.hold.endedAtMs = undefined;
    return () => {
      for (const each of used) {
        each.callsUnderWay--;
        this.#use(each);
        // The client's stream may have ended meanwhile.
        this.#expectEnd(each);
      }
    };
  }

  /**
   * Returns the caller's session, or a new one, for requests that are no tool call. Throws SESSION_LOST for a caller
   * with an earlier session, and begins no new one: the caller's next tool call must report the loss.
   */
  beside(caller: Caller, firstRole?: string): Session {
    const end = this.#ends.get(caller.key);
    const isKnown = end ? end.goesOnIn !== undefined : caller.resumes === undefined;
    if (!isKnown && !this.#sessions.has(caller.key)) throw fail("SESSION_LOST", { session: caller.session });
    return this.open(caller, firstRole);
  }

  /** Holds the sessions of the caller's connection. It finds or begins the caller's own as {@link beside} does. */
  holdOf(caller: Caller, firstRole?: string): () => void {
    // The daemon that has the session learns of its client by calls alone.
    if (this.isElsewhere(caller)) return this.hold(caller.key);
    return this.hold(connectionKeyOf(this.beside(caller, firstRole)));
  }

  /** Returns true if another daemon may have the caller's session. */
  isElsewhere({ key }: Pick<Caller, "key">): boolean {
    return !this.#sessions.has(key) && this.#parts.owns?.(key) === false;
  }

  /**
   * Holds the sessions of a connection until the caller calls the returned function, also those that begin later. The
   * key is that of the connection's own session. Held sessions end like any others. A minute after the last hold they
   * end, unless a call or a new hold begins.
   */
  hold(key: string): () => void {
    this.#connections.streamOpened(key);
    return () => {
      // Among several daemons, the client may have begun another stream at another one.
      const nowMs = this.#parts.owns ? undefined : this.#clock.steady();
      for (const session of this.#connections.streamEnded(key, nowMs)) {
        this.#use(session);
        this.#expectEnd(session);
      }
    };
  }

  /** Ends a session and the named ones beside it. `why` goes to its client if that comes back. Returns their keys. */
  close(session: Session, change: SessionChange = "closed", why = "it was closed"): string[] {
    if (!this.#end(session, change, why)) return [];
    return [session.key, ...this.closeBeside(session.key, change)];
  }

  /** Ends a session for its client, which may go on with a new one. Named sessions beside it belong to other agents. */
  leave(session: Session): void {
    const { currentRole } = session;
    this.#end(session, "closed", "browser_close ended it");
    const end = this.#ends.get(session.key);
    if (end) end.goesOnIn = currentRole;
  }

  /** Forgets a session that another daemon has or may claim. `why` goes to its calls under way. */
  move(session: Session, why: TroupeError): void {
    if (!this.#sessions.delete(session.key)) return;
    this.#connections.delete(session);
    session.over.abort(why);
    this.#parts.changed?.(session, "moved");
  }

  /** Ends the named sessions beside the session of this key. Returns their keys. */
  closeBeside(key: string, change: SessionChange = "closed"): string[] {
    const why = "the session of its connection has ended";
    return this.#connections.namedBeside(key).flatMap((each) => this.close(each, change, why));
  }

  /** Returns the named sessions beside the session of that key. */
  namedBeside(key: string): readonly Session[] {
    return this.#connections.namedBeside(key);
  }

  /** Returns why the session of that key has ended, and the roles that it had, if its end is remembered. */
  endOf(key: string): Pick<End, "reason" | "roles"> | undefined {
    return this.#ends.get(key);
  }

  /** Applies changed limits and another first role. */
  limitsChanged(firstRole: string): void {
    this.#firstRole = firstRole;
    for (const session of this.#sessions.values()) this.#expectEnd(session);
  }

  [Symbol.dispose](): void {
    this.#alarm?.cancel();
  }

  #create(caller: Caller, currentRole: string): Session {
    const { session: id, name, client, key } = caller;
    const isLimited = client.sessions !== undefined || this.#sessions.size >= this.#limits.sessions;
    for (const overLimit of isLimited ? [overOwnLimit, overCommonLimit] : []) {
      const newcomer = { client, all: this.list(), limits: this.#limits, nowMs: this.#clock.steady() };
      const over = overLimit(newcomer);
      if (over) this.#makeRoom(over);
    }
    const now = this.#clock.now();
    const given = { id, client: client.name, name, key, currentRole, createdAtMs: now, usedAtMs: now };
    const session = this.#begun(given);
    session.connection = connectionOf(caller);
    this.#parts.changed?.(session, "opened");
    return session;
  }

  /** The client of an unused session need not know, because it has lost nothing. */
  #makeRoom(over: Session): void {
    this.close(over, "expired", "another client had less than its share of all sessions");
    if (isUnused(over)) this.#ends.delete(over.key);
  }

  /** Ends one session. Returns false if it had ended before. */
  #end(session: Session, change: SessionChange, why: string): boolean {
    if (!this.#sessions.has(session.key)) return false;
    const url = this.#parts.lastAddress?.(session);
    this.#sessions.delete(session.key);
    this.#connections.delete(session);
    const end = {
      reason: why,
      roles: rolesIn(session),
      ...(url && url.length <= ADDRESS_LENGTH_MAX && { url }),
    };
    keepNewest(this.#ends, session.key, end, ENDS_MAX);
    session.over.abort(expired(session.id, end));
    this.#parts.changed?.(session, change);
    return true;
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
      since: { created: now - ageMs, used: now },
      before: undefined,
      visits: new Map(),
      mayLack: new Set(),
      over: new AbortController(),
      callsUnderWay: 0,
      hasAnswered: false,
      hold: this.#connections.holdFor(given),
    };
    this.#sessions.set(session.key, session);
    this.#connections.add(session);
    // Named sessions are what their connection's own session would lose.
    const base = this.#sessions.get(baseKeyOf(session) ?? "");
    if (base) base.hasAnswered = true;
    if (this.#connections.namedBeside(session.key).length > 0) session.hasAnswered = true;
    this.#expectEnd(session);
    return session;
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
      const { atMs, why, isAge } = endOf(session, this.#limits, now);
      if (atMs > now) continue;
      // Named sessions have an age of their own.
      if (isAge) this.#end(session, "expired", why);
      else this.close(session, "expired", why);
    }
    for (const session of this.#sessions.values()) this.#expectEnd(session);
  }
}

function connectionOf({ program, client }: Caller): Session["connection"] {
  return { program, door: client.door };
}

function expired(session: string, { roles: _roles, ...end }: End): TroupeError {
  return fail("SESSION_EXPIRED", { session, ...end });
}
