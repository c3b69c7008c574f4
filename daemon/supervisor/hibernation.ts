// Puts a role's sessions to rest as who-rests.ts decides: one at a time, and looks again when that may change.
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type AwakeSession, nextToHibernate } from "../sessions/hibernation-policy.ts";
import { type SessionSlots, STAYS_MS } from "../sessions/session-slots.ts";
import type { RestRequest } from "./session-records.ts";

/** What sessions are put to rest with. */
export interface HibernationParts {
  role: string;
  places: SessionSlots;
  /** Puts a session to rest; resolves to what it would lose, where it was spared for that. */
  putToRest(request: RestRequest): Promise<{ isSpared: boolean; losses: readonly string[] }>;
  /** A session is at rest, and its place is about to be another's. */
  rested(key: string): void;
  clock: Clock;
  log: Log;
}

/** Looks after one role's places until it is disposed of. */
export class Hibernation implements Disposable {
  readonly #parts: HibernationParts;
  #alarm: Alarm | undefined;
  #isAtWork = false;
  #isOver = false;

  constructor(parts: HibernationParts) {
    this.#parts = parts;
    parts.places.changed = () => {
      // An alarm that is set already comes early enough for a session that has just been used.
      if (parts.places.isWaitedFor || !this.#alarm) this.look();
    };
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#alarm?.cancel();
  }

  /** Looks whether one is to rest now. */
  look(): void {
    if (this.#isAtWork || this.#isOver) return;
    const { places, clock } = this.#parts;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    const awake = places.awake();
    const next = nextToHibernate(awake, places.isWaitedFor, places.rules);
    if (next.key !== undefined) return void this.#rest(next.key, next.sparing);
    // What a session would lose, it may have lost or sent by itself then.
    const stays = awake.some(({ stays }) => stays !== undefined);
    const againInMs = Math.min(
      next.againInMs ?? Number.POSITIVE_INFINITY,
      stays ? STAYS_MS : Number.POSITIVE_INFINITY,
    );
    if (againInMs === Number.POSITIVE_INFINITY) return;
    this.#alarm = clock.after(againInMs, () => {
      this.#alarm = undefined;
      this.look();
    });
  }

  async #rest(key: string, sparing: boolean): Promise<void> {
    this.#isAtWork = true;
    try {
      await this.#parts.places.vacate(key, (isStill) => this.#attempt({ key, sparing, isStill }));
    } finally {
      this.#isAtWork = false;
      this.look();
    }
  }

  /** What does not come about is tried again later: the session stays as it is. */
  async #attempt(request: RestRequest): Promise<AwakeSession["stays"]> {
    const { role, putToRest, rested, log } = this.#parts;
    try {
      const { isSpared, losses } = await putToRest(request);
      log.debug({ role, isSpared, losses: losses.length }, "a session is to rest");
      if (isSpared) return "would-lose";
      if (request.isStill()) rested(request.key);
      return undefined;
    } catch (error) {
      log.warn({ err: error, role }, "a session could not be put to rest");
      return "failed";
    }
  }
}
