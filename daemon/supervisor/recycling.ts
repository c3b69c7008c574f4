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
  /** Since the pages of this worker last collected their garbage; undefined where they never did. */
  sinceCollectedMs: number | undefined;
  /** Since this worker was first seen to hold too much; undefined where it does not. */
  sinceTooLargeMs: number | undefined;
  /** Since the role was last recycled for its memory; undefined where it never was. */
  sinceRecycledMs: number | undefined;
  callsUnderWay: number;
  /** A session has typed what it has not sent: it would lose that with the worker. */
  hasInput: boolean;
}

/** What is to be done. */
export type Upkeep =
  | "collect-garbage"
  | "recycle-for-memory"
  | "close-largest-tab"
  | "close-tab-without-input"
  | "recycle-for-age"
  | undefined;

/** From this share of its bound on, a role is asked what it can do without. */
const COLLECTING_SHARE = 0.5;
/** What is left after that is needed: pages are not kept from their work for it all the time. */
const COLLECTING_GAP_MS = 2 * 60_000;
/** A collection that was so long ago says nothing of what is needed now: something is to be taken from somebody. */
const JUST_COLLECTED_MS = 5_000;
/** A role that holds too much waits so long for input to be sent; meanwhile tabs make room. */
const INPUT_PATIENCE_MS = 2 * 60_000;
/** A role that is too large again so soon is so because of its pages: another worker would not help. */
const MEMORY_RECYCLING_GAP_MS = 10 * 60_000;
/** A worker that is never without a call waits for a gap no longer than this share of its age. */
const AGE_OVERDUE_SHARE = 1.1;

/**
 * What a worker in this condition needs. Memory is urgent; age waits longer for a moment without calls, and without input
 * that would be lost. Nothing is taken from anybody before pages have just given up what they do without.
 */
export function upkeepDue(bounds: RecyclingBounds, condition: WorkerCondition): Upkeep {
  const { ageMs, memoryBytes = 0, sinceCollectedMs = Number.POSITIVE_INFINITY } = condition;
  if (memoryBytes > bounds.memory)
    return sinceCollectedMs > JUST_COLLECTED_MS ? "collect-garbage" : relief(condition);
  if (memoryBytes > bounds.memory * COLLECTING_SHARE && sinceCollectedMs >= COLLECTING_GAP_MS)
    return "collect-garbage";
  if (ageMs < bounds.maxAgeMs) return undefined;
  return mayBeInterrupted(condition) || ageMs >= bounds.maxAgeMs * AGE_OVERDUE_SHARE
    ? "recycle-for-age"
    : undefined;
}

/** What brings a role below its bound: a fresh worker is noticed least, unless a session loses what it has typed. */
function relief({ sinceRecycledMs, sinceTooLargeMs = 0, hasInput }: WorkerCondition): Upkeep {
  if (hasInput && sinceTooLargeMs < INPUT_PATIENCE_MS) return "close-tab-without-input";
  const isTooSoon = sinceRecycledMs !== undefined && sinceRecycledMs < MEMORY_RECYCLING_GAP_MS;
  return isTooSoon ? "close-largest-tab" : "recycle-for-memory";
}

function mayBeInterrupted({ callsUnderWay, hasInput }: WorkerCondition): boolean {
  return callsUnderWay === 0 && !hasInput;
}
