// Keeps the queue for a role's session slots: awake sessions, those that wait for a slot, the bound of waiting calls.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import { clientOf } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";
import { KeyedCount } from "../core/keyed-count.ts";
import { mayWait, nextInLine } from "./fairness.ts";
import { type AwakeSession, type HibernationRules, slotFreeInMs } from "./hibernation-policy.ts";

export interface SlotLimits {
  role: string;
  /** The sessions that may be awake at once. */
  sessions: number;
  /** The calls that may wait. */
  queue: number;
  queueWaitMs: number;
  /** A session hibernates after this idle time; 0 means never by itself. */
  hibernateAfterMs: number;
}

interface Holder {
  /** The session's id. */
  session: string;
  /** The calls under way. */
  uses: number;
  /** The end of the last call, by the steady clock. */
  idleSinceMs: number;
  /** The reason that the last attempt to hibernate it failed, and the end of that reason's validity. */
  stays: { why: AwakeSession["stays"]; untilMs: number } | undefined;
  /** Set while the session is being hibernated. Settles when it hibernates, or stays awake. */
  leaving: Promise<void> | undefined;
}

interface Waiter {
  key: string;
  /** The session's id. */
  session: string;
  /** Receives the function that ends the waiter's use of the slot. */
  resolve(leave: () => void): void;
  reject(error: TroupeError): void;
}

const RETRY_AFTER_MS_MIN = 1000;
/** The time after which a client may try again if no session can be stored. */
const STORE_RETRY_AFTER_MS = 10_000;
/** The result of a failed attempt to hibernate holds this long, unless the session is used. */
export const STAYS_MS = 60_000;
/** The number of clients whose turn is remembered. */
const SERVED_MAX = 1000;

export class SlotQueue {
  /** Called when a session waits for a slot, or is idle now. */
  changed: () => void = () => undefined;
  #limits: SlotLimits;
  readonly #clock: Clock;
  /** By key. */
  readonly #holders = new Map<string, Holder>();
  readonly #waiters = new Set<Waiter>();
  readonly #calls = new KeyedCount();
  /** The clients that got slots, the latest last. */
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

  /** The calls beyond the one that each session may have under way. */
  get waiting(): number {
    let waiting = 0;
    for (const calls of this.#waitingCalls().values()) waiting += calls;
    return waiting;
  }

  get isWaitedFor(): boolean {
    return this.#waiters.size > 0;
  }

  get rules(): HibernationRules {
    const { hibernateAfterMs, queueWaitMs } = this.#limits;
    return { hibernateAfterMs, patienceMs: queueWaitMs };
  }

  /** Returns the sessions with a slot, without those that are being hibernated. */
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
   * Counts a call that waits for its turn, until the caller calls the returned function. Throws BUSY if too many calls
   * wait and this session has its share of them.
   */
  enter(key: string): () => void {
    const waits = this.#calls.of(key) > 0 || (!this.holds(key) && this.#full);
    if (waits && !mayWait(key, this.#waitingCalls(), this.#limits.queue)) {
      throw this.#busy(key, `${this.#limits.queue} calls wait in role '${this.#limits.role}' already`);
    }
    const call = this.#calls.add(key);
    return () => call[Symbol.dispose]();
  }

  /**
   * Resolves with a slot for the session, now or when one is free. The session uses it until the caller calls the
   * returned function. Rejects with BUSY, or with the abort reason of `signal`.
   */
  async take(key: string, session: string, waitMs: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const endsAtMs = this.#clock.steady() + waitMs;
    const leaving = this.#holders.get(key)?.leaving;
    if (leaving) await this.#settled(leaving, waitMs, signal);
    signal.throwIfAborted();
    const held = this.#holders.get(key) ?? (this.#full ? undefined : this.#hold(key, session));
    if (held) return this.#use(held);
    // The session gets a freed slot before this code continues. The slot may already be free again by then.
    const leftMs = endsAtMs - this.#clock.steady();
    const leave = await this.#freed({ key, session }, Math.min(leftMs, this.#limits.queueWaitMs), signal);
    if (signal.aborted) leave();
    signal.throwIfAborted();
    return leave;
  }

  /**
   * Calls `rest` to hibernate the session, then frees its slot. If `rest` resolves with a reason, the session keeps its
   * slot. Calls of the session wait meanwhile. `isStill` returns false if the session has ended.
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

  /** Frees the slot of a session that is over, hibernates or has left the role. */
  free(key: string): void {
    if (this.#holders.delete(key)) this.#giveToNext();
  }

  /** Frees the slot of a session that did not wake, unless another of its calls uses the slot. */
  giveUp(key: string): void {
    const holder = this.#holders.get(key);
    if (holder?.uses === 0 && !holder.leaving) this.free(key);
  }

  /** Rejects the sessions that wait for a slot, because the store cannot be written and no session can hibernate. */
  rejectWaiting(storeProblem: string): void {
    for (const { key, reject } of this.#waiters)
      reject(this.#busy(key, this.#allAwake, { retryAfterMs: STORE_RETRY_AFTER_MS, storeProblem }));
    this.#waiters.clear();
  }

  /** Applies new bounds. A session with a slot keeps it. */
  adjust(limits: SlotLimits): void {
    this.#limits = limits;
    while (!this.#full && this.#waiters.size > 0) this.#giveToNext();
  }

  #giveToNext(): void {
    if (this.#full) return;
    const next = nextInLine(this.#waiters, this.#served);
    if (!next) return;
    // The next waiter gets the slot now, before another caller can ask for it.
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

  get #allAwake(): string {
    const { role, sessions } = this.#limits;
    return `role '${role}' has ${sessions} ${sessions === 1 ? "session" : "sessions"} awake at once`;
  }

  get #full(): boolean {
    return this.#holders.size >= this.#limits.sessions;
  }

  #freed(who: Pick<Waiter, "key" | "session">, waitMs: number, signal: AbortSignal): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { ...who, resolve, reject };
    this.#waiters.add(waiter);
    this.changed();
    const late = () => this.#busy(who.key, this.#allAwake);
    // A waiter that gives up leaves the queue at once, so that no slot goes to it.
    const gaveUp = () => this.#waiters.delete(waiter);
    return within({ timeMs: waitMs, signal, late, gaveUp, clock: this.#clock }, promise);
  }

  /** Resolves when the session hibernates or stays awake. */
  #settled(leaving: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
    const limit = "this session is just being put to rest";
    const late = () => fail("BUSY", { limit, holders: [], retryAfterMs: RETRY_AFTER_MS_MIN });
    return within({ timeMs: waitMs, signal, late, clock: this.#clock }, leaving);
  }

  /** The error counts other clients' sessions but does not name them, because their names are private. */
  #busy(
    key: string,
    limit: string,
    known: { retryAfterMs?: number; storeProblem?: string } = {},
  ): TroupeError {
    const own = clientOf(key);
    const holders = [...this.#holders].flatMap(([each, { session }]) =>
      clientOf(each) === own ? [session] : [],
    );
    const others = this.#holders.size - holders.length;
    const freeInMs = slotFreeInMs(this.awake(), this.rules) ?? this.#limits.queueWaitMs;
    const retryAfterMs = Math.max(RETRY_AFTER_MS_MIN, Math.ceil(freeInMs));
    return fail("BUSY", { limit, holders, ...(others > 0 && { others }), retryAfterMs, ...known });
  }
}
