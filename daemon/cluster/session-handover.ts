// Brings sessions into this daemon and out of it: claims them, restores them, puts them to rest, and gives them up.
import { within } from "../../proto/machine/within.ts";
import type { Clock } from "../core/clock.ts";
import type { KeyRing } from "../core/key-ring.ts";
import type { Log } from "../core/log.ts";
import type { Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { storeUnavailable } from "../sessions/unavailable.ts";
import { nextVisit } from "../sessions/visit.ts";
import { databaseAnswer, failureLine, reasonIn } from "../store/database-errors.ts";
import type { Ownership, SessionIdentity } from "../store/ownership.ts";
import type { PostgresStore } from "../store/postgres-store.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import { BusySessions } from "./busy-sessions.ts";

/** Why a session that was taken over has lost its worker. */
const OWNER_ENDED = "the daemon that had the session has ended, and another one goes on with it";
/** The time that a session's last changes have to reach the store, when the session is given up. */
const COMMIT_MS = 10_000;
/** The time between two looks whether another daemon would take a session. */
const LOOK_AGAIN_MS = 1_000;

export interface HandoverParts {
  store: PostgresStore;
  ownership: Ownership;
  keys: Pick<KeyRing, "has">;
  sessions: Sessions;
  supervisor: Supervisor;
  clock: Clock;
  log: Log;
}

/** The outcome of a claim. `owner`: the living daemon that has the session. */
type Claimed = { isHere: true } | { isHere: false; owner: string };

/** A session on its way into this daemon or out of it. `done` of a release: false if the session stays. */
type Transition = { kind: "claim"; done: Promise<Claimed> } | { kind: "release"; done: Promise<boolean> };

/**
 * The outcome of {@link SessionHandover.enter}. `use`: the call is counted until this is disposed of. `owner`: the
 * living daemon that has the session.
 */
export type Entered = { use: Disposable } | { owner: string };

/**
 * The way of sessions between daemons. Each session is in one state: another daemon's, on its way here (a claim), here,
 * or on its way out (a release). Calls enter only a session that is here, and one that has calls does not leave.
 */
export class SessionHandover {
  /** The sessions that moved since the start. */
  readonly counts = { claimed: 0, takenOver: 0, released: 0, lost: 0 };
  readonly #parts: HandoverParts;
  readonly #busy = new BusySessions();
  readonly #transitions = new Map<string, Transition>();
  readonly #notClaimed: (error: unknown) => void;

  constructor(parts: HandoverParts) {
    this.#parts = parts;
    this.#notClaimed = failureLine(parts, "warn", "a session could not be claimed");
    parts.store.fenced = (key) => this.#lose(key);
  }

  /**
   * Lets a call into its session, which it claims unless a living daemon has it. Returns undefined if the session has
   * just left. Rejects with STORE_UNAVAILABLE.
   */
  async enter(session: SessionIdentity): Promise<Entered | undefined> {
    const { key } = session;
    const underWay = this.#transitions.get(key);
    if (underWay?.kind === "release") {
      await underWay.done;
      return undefined;
    }
    if (!underWay && this.#parts.store.owns(key)) return { use: this.#use(key) };
    const claimed = await (underWay?.done ?? this.#begun(key, { kind: "claim", done: this.#claim(session) }));
    if (!claimed.isHere) return claimed;
    return this.isHere(key) ? { use: this.#use(key) } : undefined;
  }

  /** Lets a call into a session that is here or just leaving. Returns undefined if it has left. */
  async enterIfHere(key: string): Promise<Disposable | undefined> {
    await this.#transitions.get(key)?.done;
    return this.isHere(key) ? this.#use(key) : undefined;
  }

  /** The session is this daemon's, and stays until its calls have ended. */
  isHere(key: string): boolean {
    return this.#parts.store.owns(key) && !this.#transitions.has(key);
  }

  /**
   * Gives a session up when its calls have ended: it rests, and any daemon may claim it. Resolves with false if the
   * session stays because it would lose something, such as typed text. `sparing`: it may stay.
   */
  async release(key: string, sparing: boolean): Promise<boolean> {
    const underWay = this.#transitions.get(key);
    if (underWay?.kind === "release") return await underWay.done;
    // A claim that fails brings no session here.
    if (underWay) await Promise.allSettled([underWay.done]);
    if (!this.isHere(key)) return !this.#parts.store.owns(key);
    return await this.#begun(key, { kind: "release", done: this.#release(key, sparing) });
  }

  /**
   * Gives all sessions up. One that is awake stays until one of its calls has moved it, at most for `sparedMs`. Its
   * client knows refs of its pages, and may have typed text that is not sent. `mayMove` returns false if no other daemon
   * would take it.
   */
  async releaseAll(sparedMs: number, mayMove: () => boolean): Promise<void> {
    const { store, clock, log } = this.#parts;
    const untilMs = clock.steady() + sparedMs;
    const sessions = [...store.epochs.keys()].filter((key) => this.#isAwake(key)).length;
    if (sessions > 0 && mayMove())
      log.info(
        { sessions, waitMsMax: sparedMs },
        "waiting for a call of each session in use, which moves it",
      );
    const leave = async (key: string) => {
      while (this.#isAwake(key) && clock.steady() < untilMs && mayMove()) {
        const timeMs = Math.min(LOOK_AGAIN_MS, untilMs - clock.steady());
        await within({ timeMs, clock }, this.#busy.next(key));
      }
      while (!(await this.release(key, false)));
    };
    // A claim that was under way may add one.
    while (store.epochs.size > 0) await Promise.all([...store.epochs.keys()].map(leave));
  }

  /** Forgets the sessions that other daemons have claimed. Rejects if the database does not answer. */
  async revalidate(): Promise<void> {
    const { ownership, store } = this.#parts;
    const before = store.epochs;
    const owned = await ownership.owned();
    for (const [key, epoch] of before)
      if (store.epochs.get(key) === epoch && owned.get(key) !== epoch) this.#lose(key);
  }

  /**
   * Gives up sessions that this daemon owns without knowing it: a claim that got no answer may have taken effect.
   * Rejects if the database does not answer.
   */
  async releaseUnknown(): Promise<void> {
    const { ownership, store } = this.#parts;
    const isKnown = (key: string) => store.owns(key) || store.isEnding(key) || this.#transitions.has(key);
    const knownBefore = new Set([...store.epochs.keys(), ...store.ending, ...this.#transitions.keys()]);
    const owned = await ownership.owned();
    for (const [key, epoch] of owned) {
      if (knownBefore.has(key) || isKnown(key)) continue;
      const released = await this.#begun(key, { kind: "release", done: this.#releaseRow(key, epoch) });
      if (!released) return;
    }
  }

  #isAwake(key: string): boolean {
    const { store, sessions } = this.#parts;
    const visits = sessions.of({ key })?.visits.values() ?? [];
    return store.owns(key) && [...visits].some(({ state }) => state === "AWAKE");
  }

  #begun<T extends Transition>(key: string, transition: T): T["done"] {
    this.#transitions.set(key, transition);
    const over = () => void this.#transitions.delete(key);
    transition.done.then(over, over);
    return transition.done;
  }

  #use(key: string): Disposable {
    const use = this.#busy.enter(key);
    const leave = () => {
      use[Symbol.dispose]();
      // Its row was made for a call that began no session.
      if (!this.#busy.has(key) && this.isHere(key) && !this.#parts.sessions.of({ key }))
        this.#parts.store.over(key);
    };
    return { [Symbol.dispose]: leave };
  }

  #claim(session: SessionIdentity): Promise<Claimed> {
    return databaseAnswer(this.#claimed(session), { failed: this.#notClaimed });
  }

  async #claimed(session: SessionIdentity): Promise<Claimed> {
    const { store, ownership, keys, sessions, supervisor, clock, log } = this.#parts;
    const { key } = session;
    await store.ended(key, { effect: "none" });
    const takeable = { hasRoom: () => !sessions.isFull, hasKey: (id: string) => keys.has(id) };
    const claim = await ownership.claim(session, clock.now(), takeable);
    if (claim.state === "elsewhere") return { isHere: false, owner: claim.owner };
    if (claim.state === "left") throw full();
    if (claim.state === "sealed") {
      store.lacksKey(claim.keyId);
      throw storeUnavailable("none of this daemon's stateKeys opens what is stored of the session");
    }
    await store.own(key, claim.epoch, claim.state === "new");
    if (claim.state === "new") return { isHere: true };
    const { stored, from, epoch } = claim;
    // Its row was made for a call that did not begin it.
    if (stored.currentRole === "") return { isHere: true };
    const restored = supervisor.takeOver(stored, from === undefined ? undefined : OWNER_ENDED);
    if (!restored && sessions.isFull) {
      // Others came meanwhile. Another daemon may have room.
      store.disown(key);
      await ownership.release(key, epoch, from);
      throw full();
    }
    if (!restored) {
      store.over(key);
      return await this.#claimed(session);
    }
    const wasReleased = from === undefined;
    this.counts[wasReleased ? "claimed" : "takenOver"]++;
    log.info({ session: stored.id, wasReleased }, "a session goes on here");
    return { isHere: true };
  }

  async #release(key: string, sparing: boolean): Promise<boolean> {
    const { store, sessions, log } = this.#parts;
    await this.#busy.calm(key);
    if (!store.owns(key)) return true;
    const session = sessions.of({ key });
    try {
      if (session && !(await this.#rests(session, sparing))) return false;
      await store.committed(key, COMMIT_MS);
      await store.release(key);
      this.counts.released++;
    } catch (error) {
      // Its lease ends soon, and the next daemon restores what is stored.
      log.warn({ reason: reasonIn(error) }, "a session could not be given up in order");
    }
    this.#forget(key);
    return true;
  }

  /** Returns false if the database does not answer. Calls may wait for it, so it does not reject. */
  async #releaseRow(key: string, epoch: number): Promise<boolean> {
    const { ownership, log } = this.#parts;
    try {
      await ownership.release(key, epoch);
      log.info("a session whose claim got no answer is given up");
      return true;
    } catch (error) {
      log.debug({ reason: reasonIn(error) }, "a session whose claim got no answer is not given up yet");
      return false;
    }
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
        const isStill = () => store.owns(session.key);
        const { stays } = await role.sessions.putToRest({ key: session.key, sparing, isStill });
        if (stays === "would-lose") return false;
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
    this.#busy.left(key);
    const session = sessions.of({ key });
    if (session)
      sessions.move(session, storeUnavailable("another daemon may have the session now", "unknown"));
  }
}

function full() {
  return storeUnavailable("this daemon has as many sessions as it may have");
}
