// A role's places: how many sessions it holds at once, who waits for one, and how many calls may wait in all.
import { fail, type TroupeError } from "../../proto/errors.ts";
import { clientOf } from "../admission/client.ts";
import type { Clock } from "../clock.ts";
import { mayWait, nextInLine } from "./fairness.ts";

/** The bounds of a role. */
export interface PlaceLimits {
  role: string;
  /** Sessions at once. */
  sessions: number;
  /** Calls that may wait. */
  queue: number;
  /** The longest wait for a place. */
  queueWaitMs: number;
}

interface Waiter {
  key: string;
  /** The session's id. */
  session: string;
  resolve(): void;
}

const RETRY_AFTER_MS = 1000;
/** Clients whose turn is remembered. */
const SERVED_MAX = 1000;

/** The places of one role. */
export class Places {
  #limits: PlaceLimits;
  readonly #clock: Clock;
  /** By key, the session's id. */
  readonly #holders = new Map<string, string>();
  readonly #waiters = new Set<Waiter>();
  readonly #calls = new Map<string, number>();
  /** Clients that were given places, the latest last. */
  #served: string[] = [];

  constructor(limits: PlaceLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  holds(key: string): boolean {
    return this.#holders.has(key);
  }

  /** A session of the daemon before this one has its place again, if there is still one; whether it has. */
  restore(key: string, session: string): boolean {
    if (this.#full) return false;
    this.#holders.set(key, session);
    return true;
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

  /** A place for the session, at once or when one is freed. Rejects with BUSY, or with what `signal` was aborted for. */
  async take(key: string, session: string, waitMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#holders.has(key)) return;
    if (!this.#full) {
      this.#hold(key, session);
      return;
    }
    // The place that is freed is the session's before this goes on, and may have been freed again by then.
    await this.#freed({ key, session }, Math.min(waitMs, this.#limits.queueWaitMs), signal);
    signal.throwIfAborted();
  }

  /** The session is over, or has left the role. */
  free(key: string): void {
    if (this.#holders.delete(key)) this.#giveToNext();
  }

  /** Other bounds hold from now on; who has a place keeps it. */
  adjust(limits: PlaceLimits): void {
    this.#limits = limits;
    while (!this.#full && this.#waiters.size > 0) this.#giveToNext();
  }

  #giveToNext(): void {
    if (this.#full) return;
    const next = nextInLine(this.#waiters, this.#served);
    if (!next) return;
    // The place is held for whose turn it is, before anybody else can ask for it.
    this.#hold(next.key, next.session);
    for (const waiter of this.#waiters) {
      if (waiter.key !== next.key) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }

  #hold(key: string, session: string): void {
    this.#holders.set(key, session);
    const client = clientOf(key);
    this.#served = [...this.#served.filter((each) => each !== client), client].slice(-SERVED_MAX);
  }

  /** By session. */
  #waitingCalls(): Map<string, number> {
    return new Map([...this.#calls].map(([key, calls]) => [key, this.#holders.has(key) ? calls - 1 : calls]));
  }

  get #full(): boolean {
    return this.#holders.size >= this.#limits.sessions;
  }

  #freed(who: Omit<Waiter, "resolve">, waitMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { ...who, resolve };
    const { role, sessions } = this.#limits;
    // Who gives up leaves the line at once: a place must not go to nobody.
    const leave = (error: unknown) => {
      this.#waiters.delete(waiter);
      reject(error);
    };
    const aborted = () => leave(signal.reason);
    const full = `role '${role}' has ${sessions} ${sessions === 1 ? "session" : "sessions"} at once`;
    const alarm = this.#clock.after(waitMs, () => leave(this.#busy(who.key, full)));
    signal.addEventListener("abort", aborted, { once: true });
    this.#waiters.add(waiter);
    return promise.finally(() => {
      alarm.cancel();
      signal.removeEventListener("abort", aborted);
    });
  }

  /** Of other clients' sessions only how many: their names, and those of the clients, are not for everybody. */
  #busy(key: string, limit: string): TroupeError {
    const own = clientOf(key);
    const holders = [...this.#holders].flatMap(([each, id]) => (clientOf(each) === own ? [id] : []));
    const others = this.#holders.size - holders.length;
    return fail("BUSY", { limit, holders, ...(others > 0 && { others }), retryAfterMs: RETRY_AFTER_MS });
  }
}
