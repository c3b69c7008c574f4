// Hibernates the sessions of each role, and bounds the bytes that hibernated sessions store.
import type { DaemonConfig } from "../config/load.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { longestUnusedFirst, type Session } from "../sessions/session.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { nextVisit } from "../sessions/visit.ts";
import { Hibernation } from "./hibernation.ts";
import type { SupervisedRole } from "./supervised-role.ts";
import { slotLimits } from "./supervision.ts";

/** The parts that hibernation of all roles needs. */
export interface HibernationsParts {
  /** Read at each use, because the configuration can change. */
  config: Pick<DaemonConfig, "limits">;
  sessions: Sessions;
  kept: { used(session: Session): void; readonly bytes: number };
  clock: Clock;
  log: Log;
}

/** The hibernation of all roles. */
export class Hibernations implements Disposable {
  readonly #parts: HibernationsParts;
  /** By role. */
  readonly #hibernations = new Map<string, Hibernation>();

  constructor(parts: HibernationsParts) {
    this.#parts = parts;
  }

  open(role: SupervisedRole): void {
    const parts = { ...this.#parts, role, rested: (key: string) => this.#rested(key, role) };
    this.#hibernations.set(role.name, new Hibernation(parts));
  }

  /** Applies changed settings of the role, or changed limits. */
  adjust({ name, settings, slots }: SupervisedRole): void {
    slots.adjust(slotLimits(settings, this.#parts.config.limits));
    this.#hibernations.get(name)?.look();
  }

  /** Hibernates no more sessions of a role that no longer exists. */
  close(name: string): void {
    this.#hibernations.get(name)?.[Symbol.dispose]();
    this.#hibernations.delete(name);
  }

  [Symbol.dispose](): void {
    for (const hibernation of this.#hibernations.values()) hibernation[Symbol.dispose]();
  }

  #rested(key: string, role: SupervisedRole): void {
    const { sessions, kept } = this.#parts;
    const session = sessions.of({ key });
    // A session that only had a slot has no state that could hibernate.
    const visit = session?.visits.get(role.name);
    if (!session || !visit) return;
    session.visits.set(role.name, nextVisit(visit, "hibernated", role.losses.deaths));
    kept.used(session);
    this.#boundStore();
  }

  /**
   * Ends hibernated sessions until the stored bytes are within their bound. It stops after a session whose end frees
   * nothing. The bytes then belong to a session that is awake, or the file cannot shrink.
   */
  #boundStore(): void {
    const { config, sessions, kept, log } = this.#parts;
    let { bytes } = kept;
    while (bytes > config.limits.sessionStore) {
      const session = longestAtRest(sessions);
      if (!session) return;
      log.warn({ session: session.id, bytes }, "a session at rest ends: too much is stored");
      sessions.close(session, "expired", "what all sessions have stored was more than limits.sessionStore");
      const before = bytes;
      bytes = kept.bytes;
      if (bytes >= before) return;
    }
  }
}

/** Returns the session that was not used for longest, of those that hibernate in all of their roles. */
export function longestAtRest(sessions: Sessions): Session | undefined {
  const resting = sessions
    .list()
    .filter(
      ({ visits, callsUnderWay }) =>
        callsUnderWay === 0 &&
        visits.size > 0 &&
        [...visits.values()].every(({ state }) => state !== "AWAKE"),
    );
  return longestUnusedFirst(resting)[0];
}
