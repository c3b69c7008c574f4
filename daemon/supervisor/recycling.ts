// When a worker that works is replaced by a fresh one: it holds too much memory, or has grown old.

/** The role's bounds. */
export interface RecyclingBounds {
  /** Worker and browser together, in bytes. */
  memory: number;
  maxAgeMs: number;
}

/** What is known of a ready worker. */
export interface WorkerCondition {
  ageMs: number;
  /** Worker and browser together; undefined before it has been measured. */
  memoryBytes: number | undefined;
  /** Since its pages last collected their garbage; undefined where they never did. */
  sinceCollectedMs: number | undefined;
  /** Since the role was last recycled for its memory; undefined where it never was. */
  sinceRecycledMs: number | undefined;
  callsUnderWay: number;
}

/** What is to be done. */
export type Upkeep =
  | "collect-garbage"
  | "recycle-for-memory"
  | "close-largest-tab"
  | "recycle-for-age"
  | undefined;

/** From this share of its bound on, a role is asked what it can do without. */
const COLLECTING_SHARE = 0.5;
/** What is left after that is needed: pages are not kept from their work for it all the time. */
const COLLECTING_GAP_MS = 2 * 60_000;
/** A role that is too large again so soon is so because of its pages: another worker would not help. */
const MEMORY_RECYCLING_GAP_MS = 10 * 60_000;
/** A worker that is never without a call waits for a gap no longer than this share of its age. */
const AGE_OVERDUE_SHARE = 1.1;

/** What a worker in this condition needs. Memory is urgent; age waits longer for a moment without calls. */
export function upkeepDue(bounds: RecyclingBounds, condition: WorkerCondition): Upkeep {
  const { ageMs, memoryBytes = 0, sinceCollectedMs, sinceRecycledMs, callsUnderWay } = condition;
  const hasCollected = sinceCollectedMs !== undefined && sinceCollectedMs < COLLECTING_GAP_MS;
  if (memoryBytes > bounds.memory * COLLECTING_SHARE && !hasCollected) return "collect-garbage";
  if (memoryBytes > bounds.memory) {
    const isTooSoon = sinceRecycledMs !== undefined && sinceRecycledMs < MEMORY_RECYCLING_GAP_MS;
    return isTooSoon ? "close-largest-tab" : "recycle-for-memory";
  }
  if (ageMs < bounds.maxAgeMs) return undefined;
  return callsUnderWay === 0 || ageMs >= bounds.maxAgeMs * AGE_OVERDUE_SHARE ? "recycle-for-age" : undefined;
}
