// Hibernates a role's sessions one at a time, as hibernation-policy.ts decides, and checks again when that may change.
import type { Alarm, Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { type AwakeSession, nextToHibernate } from "../sessions/hibernation-policy.ts";
import { type SlotQueue, STAYS_MS } from "../sessions/slot-queue.ts";
import type { RestRequest, SessionRecords } from "./session-records.ts";

export interface HibernationParts {
  role: { name: string; slots: SlotQueue; sessions: Pick<SessionRecords, "putToRest"> };
  /** Called when a session is hibernated, just before its slot goes to another. */
  rested(key: string): void;
  clock: Clock;
  log: Log;
}

/** Hibernates one role's sessions until it is disposed of. */
export class Hibernation implements Disposable {
  readonly #parts: HibernationParts;
  #alarm: Alarm | undefined;
  #isAtWork = false;
  #isOver = false;

  constructor(parts: HibernationParts) {
    this.#parts = parts;
    const { slots } = parts.role;
    slots.changed = () => {
      // An existing alarm comes early enough for a session that was used just now.
      if (slots.isWaitedFor || !this.#alarm) this.look();
    };
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#alarm?.cancel();
  }

  /** Hibernates a session if one is due, else sets the next alarm. */
  look(): void {
    if (this.#isAtWork || this.#isOver) return;
    const { role, clock } = this.#parts;
    const { slots } = role;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    const awake = slots.awake();
    const next = nextToHibernate(awake, slots.isWaitedFor, slots.rules);
    if (next.key !== undefined) return void this.#rest(next.key, next.sparing);
    // By then the session may have lost or sent the input that it would lose.
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
      await this.#parts.role.slots.vacate(key, (isStill) => this.#attempt({ key, sparing, isStill }));
    } finally {
      this.#isAtWork = false;
      this.look();
    }
  }

  /** A failed attempt leaves the session as it is. It is repeated later. */
  async #attempt(request: RestRequest): Promise<AwakeSession["stays"]> {
    const { role, rested, log } = this.#parts;
    try {
      const { losses, stays, problem } = await role.sessions.putToRest(request);
      log.debug({ role: role.name, key: request.key, stays, losses: losses.length }, "a session is to rest");
      if (!stays && request.isStill()) rested(request.key);
      if (problem === undefined) return stays;
      log.warn({ role: role.name, problem }, "a session could not be put to rest: it cannot be stored");
      role.slots.rejectWaiting(problem);
      return stays;
    } catch (error) {
      log.warn({ err: error, role: role.name }, "a session could not be put to rest");
      return "failed";
    }
  }
}
