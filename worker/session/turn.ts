// Gives the calls of a session that touch its pages their turns: one at a time, in order.
import type { TroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";

/** A person who has the turn. */
export interface PersonsTurn {
  /** Returns the error for calls that are refused meanwhile. `unknown`: the call was under way. */
  refusal(effect: "none" | "unknown"): TroupeError;
  /** The call that is under way may take so long when the person comes. */
  graceMs: number;
  /** A call waits so long for the session to be handed back. */
  waitMs: number;
  /** Returns true once the session is given back. The rest of leaving takes seconds at most. */
  isLeaving(): boolean;
}

/** The reason for which work outside of the turns is given up. */
export const NEXT_CALL = "the next call came first";

/** Ends work outside of the turns. */
export class CallCame extends Error {
  override readonly name = "CallCame";
}

/** A queue of turns. A call that ends early frees its place at once, even while it waits. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  /** Work that the present turn has begun and that must end before the next turn. */
  #held: Promise<void> | undefined;
  #taken = 0;
  /** Work outside of all turns. It is given up when a call comes. */
  readonly #asides = new Set<Promise<unknown>>();
  #untilCall = new AbortController();
  #person: (PersonsTurn & { over: Promise<void> }) | undefined;
  /** Aborted when a person comes: for the calls that wait, and after a while for the one that is under way. */
  #waits = new AbortController();
  #works = new AbortController();

  /** Is true if a call has its turn, or waits for it. */
  get areTaken(): boolean {
    return this.#taken > 0;
  }

  /** Aborted with PERSON_AT_WORK when the next person comes. */
  get untilPerson(): AbortSignal {
    return this.#waits.signal;
  }

  /** Is true while a person has the turn, or waits for it. */
  get hasPerson(): boolean {
    return this.#person !== undefined;
  }

  /** Throws PERSON_AT_WORK while a person has the turn. */
  checkFree(): void {
    if (this.#person) throw this.#person.refusal("none");
  }

  /**
   * Runs `work` when all calls before it have ended. Rejects with the signal's reason if that aborts first, and with
   * PERSON_AT_WORK if a person comes, or has the turn and keeps it.
   */
  async take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    while (this.#person) await untilHandedBack(this.#person, signal);
    return await this.#inTurn(signal, this.#waits.signal, this.#works.signal, work);
  }

  /**
   * Gives the turn to a person while `work` runs. All calls that wait are refused, and so is the one that is under way
   * if it takes too long. A person who is still leaving is awaited.
   */
  async takeOver<T>(person: PersonsTurn, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    while (this.#person) await within({ signal }, this.#person.over);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#person = { ...person, over };
    const [waits, works] = [this.#waits, this.#works];
    this.#waits = new AbortController();
    this.#works = new AbortController();
    waits.abort(person.refusal("none"));
    const timer = setTimeout(() => works.abort(person.refusal("unknown")), person.graceMs);
    try {
      return await this.#inTurn(signal, signal, signal, work);
    } finally {
      clearTimeout(timer);
      this.#person = undefined;
      resolve();
    }
  }

  /**
   * Runs work that no call may meet, while no call has its turn. A call that comes waits only until the work has been given
   * up: the work's signal aborts with CallCame.
   */
  async aside<T>(signal: AbortSignal, work: (givenUp: AbortSignal) => Promise<T>): Promise<T> {
    while (this.#taken > 0) await within({ signal }, this.#last);
    signal.throwIfAborted();
    const working = work(this.#untilCall.signal);
    this.#asides.add(working);
    try {
      return await working;
    } finally {
      this.#asides.delete(working);
    }
  }

  async #inTurn<T>(
    signal: AbortSignal,
    waits: AbortSignal,
    works: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => ended);
    let over: Promise<void> | undefined;
    this.#taken++;
    try {
      const waiting = AbortSignal.any([signal, waits]);
      await within({ signal: waiting }, before);
      if (this.#asides.size > 0) await within({ signal: waiting }, this.#endAsides());
      waiting.throwIfAborted();
      try {
        return await within({ signal: AbortSignal.any([signal, works]) }, work());
      } finally {
        over = this.#held;
        this.#held = undefined;
      }
    } finally {
      this.#taken--;
      if (over) void over.then(end);
      else end();
    }
  }

  async #endAsides(): Promise<void> {
    this.#untilCall.abort(new CallCame(NEXT_CALL));
    this.#untilCall = new AbortController();
    await Promise.allSettled(this.#asides);
  }

  /**
   * Prolongs the present turn until `work` ends, even if its call ends earlier. This is for work that must not be left
   * half done.
   */
  hold(work: Promise<unknown>): void {
    this.#held = Promise.allSettled([this.#held, work]).then(() => undefined);
  }
}

/** Throws PERSON_AT_WORK if the person stays for longer than a call waits. One who is leaving is awaited. */
async function untilHandedBack(
  { over, waitMs, isLeaving, refusal }: PersonsTurn & { over: Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  const isOver = await within(
    { signal, timeMs: waitMs },
    over.then(() => true),
  );
  if (isOver) return;
  if (!isLeaving()) throw refusal("none");
  await within({ signal }, over);
}
