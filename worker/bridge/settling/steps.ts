// A page that goes on changing step by step by its timers: texts that type themselves, counters, parts that appear one by one.

export interface Steps {
  /** An action begins. */
  begin(): void;
  /** The page shows something else than before. */
  note(): void;
  /**
   * When the next step must have come, by `performance.now()`. `started`: how many timers and frames the page has started
   * since the action began. Undefined where none is expected.
   */
  dueAtMs(started: number): number | undefined;
  /** The action is over: how the page changes from here on, it changes by itself, unless the action goes on. */
  rest(): void;
  /** The action was over for long enough: how the page changes by itself is known. */
  isKnown(): boolean;
  /** The action goes on: what comes from here on, a cause at this time may have led to. */
  goOn(causedAtMs: number): void;
}

/** Changes that come closer together are one step. */
const TOGETHER_MS = 12;
/** Steps further apart are not taken for parts of one effect: clocks go on for ever. */
const GAP_MS_MAX = 450;
/** The first step came by a timer where it came so late. */
const BY_TIMER_MS = 60;
const LATE_MS = 50;
/** So many steps while no action is under way, and the page's changes are its own. */
const RESTLESS_STEPS = 2;
const REST_MS_MIN = 500;

export function createSteps(): Steps {
  let causedAtMs = performance.now();
  let atMs: number[] = [];
  let restedAtMs: number | undefined;
  let atRest = 0;
  let isRestless = false;
  return {
    begin() {
      const nowMs = performance.now();
      const isKnown = restedAtMs !== undefined && nowMs - restedAtMs >= REST_MS_MIN;
      if (isKnown || atRest >= RESTLESS_STEPS) isRestless = atRest >= RESTLESS_STEPS;
      restedAtMs = undefined;
      causedAtMs = nowMs;
      atMs = [];
    },
    note() {
      const nowMs = performance.now();
      if (nowMs - (atMs.at(-1) ?? Number.NEGATIVE_INFINITY) < TOGETHER_MS) return;
      atMs = [...atMs.slice(-2), nowMs];
      if (restedAtMs !== undefined) atRest++;
    },
    dueAtMs: (started) => (isRestless ? undefined : dueAtMs(causedAtMs, atMs, started)),
    rest() {
      restedAtMs = performance.now();
      atRest = 0;
    },
    isKnown: () =>
      restedAtMs === undefined ||
      atRest >= RESTLESS_STEPS ||
      performance.now() - restedAtMs >= RESTLESS_STEPS * REST_MS_MIN,
    goOn(sinceMs) {
      restedAtMs = undefined;
      // What the input itself showed is no step that a timer brought.
      causedAtMs = sinceMs;
    },
  };
}

/** `atMs`: when the last steps came, three at most. */
function dueAtMs(causedAtMs: number, atMs: readonly number[], started: number): number | undefined {
  const [last, ...before] = [...atMs].reverse();
  if (last === undefined || started === 0) return undefined;
  const gaps = [last, ...before].map((at, n) => at - (before[n] ?? causedAtMs)).slice(0, 2);
  const gap = Math.max(...gaps);
  if (gap > GAP_MS_MAX) return undefined;
  if (gaps.length === 2 && Math.min(...gaps) >= TOGETHER_MS) return last + gap * 1.5 + LATE_MS;
  // Of several timers that were set at once, the first has come round.
  if (gaps.length === 1 && gap >= BY_TIMER_MS && started > 1) return last + gap * 1.25 + LATE_MS;
  return undefined;
}
