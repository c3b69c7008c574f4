// Recognises a page that changes step by step by its timers: texts that type themselves, counters, parts in sequence.

export interface Steps {
  /** Begins an action. */
  begin(): void;
  /** Notes that the page shows something new. */
  note(): void;
  /**
   * Returns the time by which the next step must have come, by `performance.now()`. `started` counts the timers and
   * frames that the page has started since the action began. The result is undefined if no step is expected.
   */
  dueAtMs(started: number): number | undefined;
  /** Ends the action. Later changes are the page's own, unless the action goes on. */
  rest(): void;
  /** Reports if the action ended long enough ago to know the page's own changes. */
  isKnown(): boolean;
  /** Continues the action: a cause at this time may have led to the next changes. */
  goOn(causedAtMs: number): void;
}

/** Changes that come closer together are one step. */
const TOGETHER_MS = 12;
/** Steps further apart do not count as parts of one effect: clocks go on for ever. */
const GAP_MS_MAX = 450;
/** A first step that comes this late came by a timer. */
const BY_TIMER_MS = 60;
const LATE_MS = 50;
/** With this many steps while there is no action, the changes are the page's own. */
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
      // A change by the input itself is not a step of a timer.
      causedAtMs = sinceMs;
    },
  };
}

/** `atMs` has the times of the last steps, three at most. */
function dueAtMs(causedAtMs: number, atMs: readonly number[], started: number): number | undefined {
  const [last, ...before] = [...atMs].reverse();
  if (last === undefined || started === 0) return undefined;
  const gaps = [last, ...before].map((at, n) => at - (before[n] ?? causedAtMs)).slice(0, 2);
  const gap = Math.max(...gaps);
  if (gap > GAP_MS_MAX) return undefined;
  if (gaps.length === 2 && Math.min(...gaps) >= TOGETHER_MS) return last + gap * 1.5 + LATE_MS;
  // The first of several timers that were set at once has come round.
  if (gaps.length === 1 && gap >= BY_TIMER_MS && started > 1) return last + gap * 1.25 + LATE_MS;
  return undefined;
}
