// Decides which session of a role hibernates next, which must stay awake, and when a slot will be free.

export interface AwakeSession {
  key: string;
  /** The time since its last call ended; undefined while a call is under way. */
  idleMs: number | undefined;
  /** The result of the last attempt to hibernate it. `unwritable`: its state could not be written to the disk. */
  stays?: "would-lose" | "unwritable" | "failed" | undefined;
}

export interface HibernationRules {
  /** A session hibernates after this idle time; 0 means never by itself. */
  hibernateAfterMs: number;
  /** The longest time that a session waits for a slot. */
  patienceMs: number;
}

/**
 * The next session to hibernate; with `sparing` it stays awake if it would lose something. Without a session, the time
 * of the next check.
 */
export type NextToHibernate =
  | { key: string; sparing: boolean }
  | { key?: undefined; againInMs: number | undefined };

/** While another session waits for a slot, a session hibernates after this idle time. */
const MAKES_ROOM_AFTER_MS = 30_000;

/**
 * Returns the session that is idle longest of those that may hibernate. A session that would lose something hibernates
 * only if another waits and no other can.
 */
export function nextToHibernate(
  awake: readonly AwakeSession[],
  isWaitedFor: boolean,
  { hibernateAfterMs, patienceMs }: HibernationRules,
): NextToHibernate {
  const idle = longestIdleFirst(awake);
  // The disk may be writable again. If another session waits, that is tried at once.
  const harmless = idle.filter(({ stays }) => !stays || (isWaitedFor && stays === "unwritable"));
  const afterMs = isWaitedFor ? makesRoomAfterMs(hibernateAfterMs) : byItselfAfterMs(hibernateAfterMs);
  const [first] = harmless;
  if (first && first.idleMs >= afterMs) return { key: first.key, sparing: true };
  const soonestMs = first ? afterMs - first.idleMs : Number.POSITIVE_INFINITY;
  const losing = isWaitedFor ? idle.find(({ stays }) => stays === "would-lose") : undefined;
  if (!losing) return { againInMs: finite(soonestMs) };
  const losesInMs = byItselfAfterMs(hibernateAfterMs) - losing.idleMs;
  if (losesInMs <= 0 && soonestMs > patienceMs) return { key: losing.key, sparing: false };
  return { againInMs: finite(losesInMs > 0 ? Math.min(soonestMs, losesInMs) : soonestMs) };
}

/**
 * Returns the time until the first slot is free, if no session is used meanwhile. Returns undefined if all are in use.
 */
export function slotFreeInMs(
  awake: readonly AwakeSession[],
  { hibernateAfterMs }: HibernationRules,
): number | undefined {
  const times = longestIdleFirst(awake).map(({ idleMs, stays }) => {
    const afterMs =
      stays === undefined ? makesRoomAfterMs(hibernateAfterMs) : byItselfAfterMs(hibernateAfterMs);
    return Math.max(0, afterMs - idleMs);
  });
  return finite(Math.min(...times));
}

function longestIdleFirst(awake: readonly AwakeSession[]) {
  const idle = awake.flatMap(({ idleMs, ...rest }) => (idleMs === undefined ? [] : [{ ...rest, idleMs }]));
  return idle.sort((one, other) => other.idleMs - one.idleMs);
}

function byItselfAfterMs(hibernateAfterMs: number): number {
  return hibernateAfterMs || Number.POSITIVE_INFINITY;
}

function makesRoomAfterMs(hibernateAfterMs: number): number {
  return Math.min(MAKES_ROOM_AFTER_MS, byItselfAfterMs(hibernateAfterMs));
}

function finite(ms: number): number | undefined {
  return Number.isFinite(ms) ? ms : undefined;
}
