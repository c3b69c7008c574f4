// Which session of a role is put to rest next, which may not be, and when a place will be free.

/** A session that has a place. */
export interface AwakeSession {
  key: string;
  /** How long none of its calls has been under way; undefined while one is. */
  idleMs: number | undefined;
  /** What was found when it was to rest: it would lose something, or it did not come about. */
  stays?: "would-lose" | "failed" | undefined;
}

/** By what a role's sessions rest. */
export interface HibernationRules {
  /** A session that is idle for so long rests; 0: none does by itself. */
  hibernateAfterMs: number;
  /** A session that waits for a place waits so long at most. */
  patienceMs: number;
}

/** The next to rest; `sparing`: not if it would lose something. Else when to look again, where that may change. */
export type NextToHibernate =
  | { key: string; sparing: boolean }
  | { key?: undefined; againInMs: number | undefined };

/** A session that is idle for so long rests as soon as another waits for a place. */
const MAKES_ROOM_AFTER_MS = 30_000;

/** Of those that may rest the one that is idle longest; one that would lose something only for another, and if no other can. */
export function nextToHibernate(
  awake: readonly AwakeSession[],
  isWaitedFor: boolean,
  { hibernateAfterMs, patienceMs }: HibernationRules,
): NextToHibernate {
  const idle = longestIdleFirst(awake);
  const harmless = idle.filter(({ stays }) => stays === undefined);
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

/** When the first place is free at the latest if no session of now goes on; undefined where all are at work. */
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
