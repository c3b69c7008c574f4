// Brings sessions into this daemon and out of it: claims them, restores them, puts them to rest, and gives them up.
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { nextVisit } from "../sessions/visit.ts";
import type { Ownership, SessionIdentity } from "../store/ownership.ts";
import { reasonIn } from "../store/postgres.ts";
import type { PostgresStore } from "../store/postgres-store.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { BusySessions } from "./busy-sessions.ts";

/** Why a session that was taken over has lost its worker. */
const OWNER_ENDED = "the daemon that had the session has ended, and another one goes on with it";
const RETRY_AFTER_MS = 1_000;
/** The time that a session's last changes have to reach the store, when the session is given up. */
const COMMIT_MS = 10_000;

export interface HandoverParts {
  store: PostgresStore;
  ownership: Ownership;
  sessions: Sessions;
  supervisor: Supervisor;
  clock: Clock;
  log: Log;
}

/** The outcome of a claim. `owner`: the living daemon that has the session. */
export type Claimed = { isHere: true } | { isHere: false; owner: string };

/** The way of sessions between daemons. */
export class SessionHandover {
  readonly busy = new BusySessions();
  /** The sessions that moved since the start. */
  readonly counts = { claimed: 0, takenOver: 0, released: 0, lost: 0 };
  readonly #parts: HandoverParts;
  readonly #claims = new Map<string, Promise<Claimed>>();
  readonly #releases = new Map<string, Promise<boolean>>();

  constructor(parts: HandoverParts) {
    this.#parts = parts;
    parts.store.fenced = (key) => this.#lose(key);
  }

  /** Claims the session unless a living daemon has it. Rejects with STORE_UNAVAILABLE. */
  claim(session: SessionIdentity): Promise<Claimed> {
    const { key } = session;
    const underWay = this.#claims.get(key);
    if (underWay) return underWay;
    const claim = this.#claim(session)
      .catch((error: unknown) => {
        if (isTroupeError(error)) throw error;
        this.#parts.log.warn({ reason: reasonIn(error) }, "a session could not be claimed");
        throw storeUnavailable("the database does not answer", error);
      })
      .finally(() => this.#claims.delete(key));
    this.#claims.set(key, claim);
    return claim;
  }

  /**
   * Gives a session up when its calls have ended: it rests, and any daemon may claim it. Resolves with false if the
   * session stays because it would lose something, such as typed text. `sparing`: it may stay.
   */
  release(key: string, sparing: boolean): Promise<boolean> {
    const underWay = this.#releases.get(key);
    if (underWay) return underWay;
    const release = this.#release(key, sparing).finally(() => this.#releases.delete(key));
    this.#releases.set(key, release);
    return release;
  }

  /** Resolves when a release of the session that is under way is over. */
  async releasing(key: string): Promise<void> {
    await this.#releases.get(key);
  }

  /**
   * Gives all sessions up. One that is awake stays until one of its calls has moved it, at most for `sparedMs`. Its
   * client knows refs of its pages, and may have typed text that is not sent.
   */
  async releaseAll(sparedMs: number): Promise<void> {
    const { store, clock } = this.#parts;
    const untilMs = clock.steady() + sparedMs;
    const leave = async (key: string) => {
      while (this.#isAwake(key) && clock.steady() < untilMs)
        await within({ timeMs: untilMs - clock.steady(), clock }, this.busy.next(key));
      while (!(await this.release(key, false)));
    };
    // A claim that was under way may add one.
    while (store.epochs.size > 0) await Promise.all([...store.epochs.keys()].map(leave));
  }

  /** Forgets the sessions that other daemons have claimed. Rejects if the database does not answer. */
  async revalidate(): Promise<void> {
    const { ownership, store } = this.#parts;
    const owned = await ownership.owned();
    for (const [key, epoch] of store.epochs) if (owned.get(key) !== epoch) this.#lose(key);
  }

  #isAwake(key: string): boolean {
    const { store, sessions } = this.#parts;
    const visits = sessions.of({ key })?.visits.values() ?? [];
    return store.owns(key) && [...visits].some(({ state }) => state === "AWAKE");
  }

  async #claim(session: SessionIdentity): Promise<Claimed> {
    const { store, ownership, sessions, supervisor, clock, log } = this.#parts;
    const { key } = session;
    await store.ended(key);
    if (store.owns(key)) return { isHere: true };
    const claim = await ownership.claim(session, clock.now());
    if (claim.state === "elsewhere") return { isHere: false, owner: claim.owner };
    await store.own(key, claim.epoch, claim.state === "new");
    if (claim.state === "new") return { isHere: true };
    const { stored, wasReleased } = claim;
    // Its row was made for a call that did not begin it.
    if (stored.currentRole === "") return { isHere: true };
    const roles = stored.roles.filter((role) => supervisor.roles.has(role));
    const restored = sessions.restore({ ...stored, roles }, wasReleased ? undefined : OWNER_ENDED);
    if (!restored && sessions.isFull) {
      await ownership.release(key, claim.epoch);
      store.disown(key);
      throw storeUnavailable("this daemon has as many sessions as it may have");
    }
    if (!restored) {
      store.over(key);
      return await this.#claim(session);
    }
    for (const role of roles) supervisor.roles.get(role)?.sessions.returned(key);
    this.counts[wasReleased ? "claimed" : "takenOver"]++;
    log.info({ session: stored.id, wasReleased }, "a session goes on here");
    return { isHere: true };
  }

  async #release(key: string, sparing: boolean): Promise<boolean> {
    const { store, ownership, sessions, log } = this.#parts;
    await this.busy.calm(key);
    const epoch = store.epochs.get(key);
    if (epoch === undefined) return true;
    const session = sessions.of({ key });
    try {
      if (session && !(await this.#rests(session, sparing))) return false;
      if (this.busy.has(key)) return false;
      await store.committed(key, COMMIT_MS);
      await ownership.release(key, epoch);
      this.counts.released++;
    } catch (error) {
      // Its lease ends soon, and the next daemon restores what is stored.
      log.warn({ reason: reasonIn(error) }, "a session could not be given up in order");
    }
    this.#forget(key);
    return true;
  }

  /**
   * Puts the session to rest in all of its roles. With `sparing`, returns false if it would lose something. Otherwise
   * its next call says what it lost.
   */
  async #rests(session: Session, sparing: boolean): Promise<boolean> {
    const { supervisor, store, log } = this.#parts;
    for (const [name, visit] of session.visits) {
      const role = supervisor.roles.get(name);
      if (!role || visit.state !== "AWAKE") continue;
      try {
        const { key } = session;
        const request = { key, sparing, isStill: () => !this.busy.has(key) };
        const { stays } = await role.sessions.putToRest(request);
        if (stays === "would-lose" || this.busy.has(key)) return false;
        if (!stays) session.visits.set(name, nextVisit(visit, "hibernated", role.losses.deaths));
      } catch (error) {
        log.warn({ err: error, role: name }, "a session could not be put to rest before it is given up");
      }
    }
    store.used(session);
    return true;
  }

  #lose(key: string): void {
    this.counts.lost++;
    this.#forget(key);
  }

  /** The session's state here ends. Its stored state belongs to the daemon that claims it next. */
  #forget(key: string): void {
    const { store, sessions } = this.#parts;
    store.disown(key);
    this.busy.left(key);
    const session = sessions.of({ key });
    if (session)
      sessions.move(
        session,
        storeUnavailable("another daemon may have the session now", undefined, "unknown"),
      );
  }
}

export function storeUnavailable(reason: string, cause?: unknown, effect: "none" | "unknown" = "none") {
  return fail("STORE_UNAVAILABLE", { reason, retryAfterMs: RETRY_AFTER_MS, effect }, cause);
}
