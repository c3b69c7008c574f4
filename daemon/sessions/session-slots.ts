// A role's places: which sessions are awake in it, who waits for a place, and how many calls may wait in all.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { clientOf } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";
import { mayWait, nextInLine } from "./fairness.ts";
import { type AwakeSession, type HibernationRules, slotFreeInMs } from "./hibernation-policy.ts";

/** The bounds of a role. */
export interface SlotLimits {
  role: string;
  /** Sessions that are awake at once. */
  sessions: number;
  /** Calls that may wait. */
  queue: number;
  /** The longest wait for a place. */
  queueWaitMs: number;
  /** A session that nobody has used for so long rests; 0: none does by itself. */
  hibernateAfterMs: number;
}

/** A session that is awake. */
interface Holder {
  /** Its id. */
  session: string;
  /** Calls that are under way. */
  uses: number;
  /** When the last one ended, by the steady clock. */
  idleSinceMs: number;
  /** Why it was not put to rest, and until when that holds. */
  stays: { why: AwakeSession["stays"]; untilMs: number } | undefined;
  /** It is being put to rest: settles when it is at rest, or stays. */
  leaving: Promise<void> | undefined;
}

interface Waiter {
  key: string;
  /** The session's id. */
  session: string;
  /** With what ends its use of the place. */
  resolve(leave: () => void): void;
}

const RETRY_AFTER_MS_MIN = 1000;
/** What was found of a session holds so long, unless it is used. */
export const STAYS_MS = 60_000;
/** Clients whose turn is remembered. */
const SERVED_MAX = 1000;

/** The places of one role. */
export class SessionSlots {
  /** Hears that a session waits for a place, or that one is idle now. */
  changed: () => void = () => undefined;
  #limits: SlotLimits;
  readonly #clock: Clock;
  /** By key. */
  readonly #holders = new Map<string, Holder>();
  readonly #waiters = new Set<Waiter>();
  readonly #calls = new Map<string, number>();
  /** Clients that were given places, the latest last. */
  #served: string[] = [];

  constructor(limits: SlotLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  holds(key: string): boolean {
    return this.#holders.has(key);
  }

  get size(): number {
    return this.#holders.size;
  }

  /** Calls beyond the one that each session may have under way. */
  get waiting(): number {
    let waiting = 0;
    for (const calls of this.#waitingCalls().values()) waiting += calls;
    return waiting;
  }

  /** Whether a session waits for a place. */
  get isWaitedFor(): boolean {
    return this.#waiters.size > 0;
  }

  /** By what the sessions rest. */
  get rules(): HibernationRules {
    const { hibernateAfterMs, queueWaitMs } = this.#limits;
    return { hibernateAfterMs, patienceMs: queueWaitMs };
  }

  /** The sessions that have a place, but for those that are being put to rest. */
  awake(): AwakeSession[] {
    const nowMs = this.#clock.steady();
    const staying = [...this.#holders].filter(([, { leaving }]) => !leaving);
    return staying.map(([key, { uses, idleSinceMs, stays }]) => ({
      key,
      idleMs: uses > 0 ? undefined : nowMs - idleSinceMs,
      ...(stays && stays.untilMs > nowMs && { stays: stays.why }),
    }));
  }

  /**
   * Counts a call that waits for its turn, until what is returned is called. Throws BUSY where too many wait, and this
   * session has its share of them.
   */
  enter(key: string): () => void {
    const own = this.#calls.get(key) ?? 0;
    const waits = own > 0 || (!this.holds(key) && this.#full);
    if (waits && !mayWait(key, this.#waitingCalls(), this.#limits.queue)) {
      throw this.#busy(key, `${this.#limits.queue} calls wait in role '${this.#limits.role}' already`);
    }
    this.#calls.set(key, own + 1);
    return () => {
      const left = (this.#calls.get(key) ?? 1) - 1;
      if (left > 0) this.#calls.set(key, left);
      else this.#calls.delete(key);
    };
  }

  /**
   * A place for the session, at once or when one is freed: it uses it until what is returned is called. Rejects with BUSY,
   * or with what `signal` was aborted for.
   */
  async take(key: string, session: string, waitMs: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const endsAtMs = this.#clock.steady() + waitMs;
    const leaving = this.#holders.get(key)?.leaving;
    if (leaving) await this.#settled(leaving, waitMs, signal);
    signal.throwIfAborted();
    const held = this.#holders.get(key) ?? (this.#full ? undefined : this.#hold(key, session));
    if (held) return this.#use(held);
    // The place that is freed is the session's before this goes on, and may have been freed again by then.
    const leftMs = endsAtMs - this.#clock.steady();
    const leave = await this.#freed({ key, session }, Math.min(leftMs, this.#limits.queueWaitMs), signal);
    if (signal.aborted) leave();
    signal.throwIfAborted();
    return leave;
  }

  /**
   * Gives a session's place up once `rest` has put it to rest; where that resolves to why it stays, it keeps its place.
   * Calls of the session wait until then. `isStill`: whether the session has not ended meanwhile.
   */
  async vacate(key: string, rest: (isStill: () => boolean) => Promise<AwakeSession["stays"]>): Promise<void> {
    const holder = this.#holders.get(key);
    if (!holder || holder.uses > 0 || holder.leaving) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    holder.leaving = promise;
    let why: AwakeSession["stays"] = "failed";
    const isStill = () => this.#holders.get(key) === holder;
    try {
      why = await rest(isStill);
    } finally {
      holder.leaving = undefined;
      holder.stays = { why, untilMs: this.#clock.steady() + STAYS_MS };
      if (why === undefined && isStill()) this.free(key);
      resolve();
    }
  }

  /** The session is over, at rest, or has left the role. */
  free(key: string): void {
    if (this.#holders.delete(key)) this.#giveToNext();
  }

  /** Other bounds hold from now on; who has a place keeps it. */
  adjust(limits: SlotLimits): void {
    this.#limits = limits;
    while (!this.#full && this.#waiters.size > 0) this.#giveToNext();
  }

  #giveToNext(): void {
    if (this.#full) return;
    const next = nextInLine(this.#waiters, this.#served);
    if (!next) return;
    // The place is held for whose turn it is, before anybody else can ask for it.
    const holder = this.#hold(next.key, next.session);
    for (const waiter of this.#waiters) {
      if (waiter.key !== next.key) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(this.#use(holder));
    }
  }

  #hold(key: string, session: string): Holder {
    const idleSinceMs = this.#clock.steady();
    const holder: Holder = { session, uses: 0, idleSinceMs, stays: undefined, leaving: undefined };
    this.#holders.set(key, holder);
    const client = clientOf(key);
    this.#served = [...this.#served.filter((each) => each !== client), client].slice(-SERVED_MAX);
    return holder;
  }

  #use(holder: Holder): () => void {
    holder.uses++;
    holder.stays = undefined;
    return () => {
      holder.uses--;
      holder.idleSinceMs = this.#clock.steady();
      if (holder.uses === 0) this.changed();
    };
  }

  /** By session. */
  #waitingCalls(): Map<string, number> {
    return new Map([...this.#calls].map(([key, calls]) => [key, this.#holders.has(key) ? calls - 1 : calls]));
  }

  get #full(): boolean {
    return this.#holders.size >= this.#limits.sessions;
  }

  #freed(who: Omit<Waiter, "resolve">, waitMs: number, signal: AbortSignal): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { ...who, resolve };
    const { role, sessions } = this.#limits;
    // Who gives up leaves the line at once: a place must not go to nobody.
    const leave = (error: unknown) => {
      this.#waiters.delete(waiter);
      reject(error);
    };
    const full = `role '${role}' has ${sessions} ${sessions === 1 ? "session" : "sessions"} awake at once`;
    this.#waiters.add(waiter);
    this.changed();
    return this.#patiently(promise, leave, { waitMs, signal, late: () => this.#busy(who.key, full) });
  }

  /** Resolves when the session is at rest, or stays. */
  #settled(leaving: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    void leaving.then(resolve);
    const limit = "this session is just being put to rest";
    const late = () => fail("BUSY", { limit, holders: [], retryAfterMs: RETRY_AFTER_MS_MIN });
    return this.#patiently(promise, reject, { waitMs, signal, late });
  }

  /** As the promise; `giveUp` is called where the wait is over before, or the signal aborts. */
  #patiently<T>(
    promise: Promise<T>,
    giveUp: (error: unknown) => void,
    { waitMs, signal, late }: { waitMs: number; signal: AbortSignal; late: () => TroupeError },
  ): Promise<T> {
    const aborted = () => giveUp(signal.reason);
    const alarm = this.#clock.after(waitMs, () => giveUp(late()));
    signal.addEventListener("abort", aborted, { once: true });
    return promise.finally(() => {
      alarm.cancel();
      signal.removeEventListener("abort", aborted);
    });
  }

  /** Of other clients' sessions only how many: their names, and those of the clients, are not for everybody. */
  #busy(key: string, limit: string): TroupeError {
    const own = clientOf(key);
    const holders = [...this.#holders].flatMap(([each, { session }]) =>
      clientOf(each) === own ? [session] : [],
    );
    const others = this.#holders.size - holders.length;
    const freeInMs = slotFreeInMs(this.awake(), this.rules) ?? this.#limits.queueWaitMs;
    const retryAfterMs = Math.max(RETRY_AFTER_MS_MIN, Math.ceil(freeInMs));
    return fail("BUSY", { limit, holders, ...(others > 0 && { others }), retryAfterMs });
  }
}
