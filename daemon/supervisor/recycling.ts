// Decides when a fresh worker replaces a working one: if it holds too much memory or is too old.

export interface RecyclingBounds {
  /** The memory of worker and browser together, in bytes. */
  memory: number;
  maxAgeMs: number;
}

export interface WorkerCondition {
  ageMs: number;
  /** The memory of worker and browser together; undefined before the first measurement. */
  memoryBytes: number | undefined;
  /** The time since this worker's pages last collected their garbage; undefined if they never did. */
  sinceCollectedMs: number | undefined;
  /** The time since this worker was first seen over its bound; undefined if it is not over it. */
  sinceTooLargeMs: number | undefined;
  /** The time since the role was last recycled for its memory; undefined if it never was. */
  sinceRecycledMs: number | undefined;
  callsUnderWay: number;
  /** True if a session has typed text that it has not sent. It would lose that text with the worker. */
  hasInput: boolean;
}

export type Upkeep =
  | "collect-garbage"
  | "recycle-for-memory"
  | "close-largest-tab"
  | "close-tab-without-input"
  | "recycle-for-age"
  | undefined;

/** A role over this share of its bound is asked to collect garbage. */
const COLLECTING_SHARE = 0.5;
/** Collections keep pages from their work, and the pages need the memory that is left. So they are not frequent. */
const COLLECTING_GAP_MS = 2 * 60_000;
/**
 * An older collection says nothing of the present need. The role collects again before it closes a tab or ends a
 * worker.
 */
const JUST_COLLECTED_MS = 5_000;
/** A role over its bound waits this long for typed input to be sent. Meanwhile it closes tabs without input. */
const INPUT_PATIENCE_MS = 2 * 60_000;
/** A role that is too large again so soon has large pages. Another worker would not help. */
const MEMORY_RECYCLING_GAP_MS = 10 * 60_000;
/** A worker that always has calls waits for a gap until it has this share of its maximum age. */
const AGE_OVERDUE_SHARE = 1.1;

/**
 * Returns the action that a worker in this condition needs. Memory is urgent. Age waits longer for a moment without
 * calls and without unsent input. Pages collect their garbage before any session loses something.
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

/**
 * Returns the action that brings a role below its bound. Sessions notice a fresh worker least, unless they lose typed
 * text.
 */
function relief({ sinceRecycledMs, sinceTooLargeMs = 0, hasInput }: WorkerCondition): Upkeep {
  if (hasInput && sinceTooLargeMs < INPUT_PATIENCE_MS) return "close-tab-without-input";
  const isTooSoon = sinceRecycledMs !== undefined && sinceRecycledMs < MEMORY_RECYCLING_GAP_MS;
  return isTooSoon ? "close-largest-tab" : "recycle-for-memory";
}

function mayBeInterrupted({ callsUnderWay, hasInput }: WorkerCondition): boolean {
  return callsUnderWay === 0 && !hasInput;
}
