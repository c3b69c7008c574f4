// Keeps the session slots of each role and hibernates its sessions. Slots open and close with their role.

import type { DaemonConfig, RoleSettings } from "../config/load.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { SessionSlots, type SlotLimits } from "../sessions/session-slots.ts";
import type { Session, Sessions } from "../sessions/sessions.ts";
import { Hibernation } from "./hibernation.ts";
import type { SupervisedRole } from "./supervised-role.ts";

/** The parts that slots need. */
export interface RoleSlotsParts {
  /** Read at each use, because the configuration can change. */
  config: Pick<DaemonConfig, "limits">;
  sessions: Sessions;
  kept: { used(session: Session): void; readonly bytes: number };
  clock: Clock;
  log: Log;
}

/** The slots of all roles. */
export class RoleSlots implements Disposable {
  /** The slots by role. The map stays current. */
  readonly all: ReadonlyMap<string, SessionSlots>;
  readonly #parts: RoleSlotsParts;
  readonly #places = new Map<string, SessionSlots>();
  readonly #hibernations = new Map<string, Hibernation>();

  constructor(parts: RoleSlotsParts) {
    this.#parts = parts;
    this.all = this.#places;
  }

  open(role: SupervisedRole): void {
    const { config, sessions, clock, log } = this.#parts;
    const { name } = role;
    const places = new SessionSlots(limitsOf(role.settings, config), clock);
    this.#places.set(name, places);
    role.sessions.holds = (key) => places.holds(key);
    role.census = () => ({ awake: places.size, resting: sessions.restingIn(name) });
    const hibernation = new Hibernation({
      role: name,
      places,
      putToRest: (request) => role.putToRest(request),
      rested: (key) => this.#rested(key, role),
      clock,
      log,
    });
    this.#hibernations.set(name, hibernation);
  }

  /** Applies changed settings of the role, or changed limits. */
  adjust(settings: RoleSettings): void {
    this.#places.get(settings.name)?.adjust(limitsOf(settings, this.#parts.config));
    this.#hibernations.get(settings.name)?.look();
  }

  /** Removes the slots of a role that no longer exists. */
  close(name: string): void {
    this.#places.delete(name);
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
    if (!session?.visits.has(role.name)) return;
    sessions.rested(session, role.name, role.deaths);
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
      const session = sessions.longestAtRest();
      if (!session) return;
      log.warn({ session: session.id, bytes }, "a session at rest ends: too much is stored");
      sessions.close(session, "expired", "what all sessions have stored was more than limits.sessionStore");
      const before = bytes;
      bytes = kept.bytes;
      if (bytes >= before) return;
    }
  }
}

function limitsOf(
  { name, sessions, hibernateAfter }: RoleSettings,
  { limits }: Pick<DaemonConfig, "limits">,
): SlotLimits {
  const { queue, queueWait } = limits;
  return { role: name, sessions, queue, queueWaitMs: queueWait, hibernateAfterMs: hibernateAfter };
}
