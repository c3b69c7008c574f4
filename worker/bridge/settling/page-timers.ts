// Counts the timers, frames and idle callbacks that the page has started. All worlds of a document take these numbers
// from one counter each (for timers, Chrome's DOMTimerCoordinator). So a number of the bridge's own shows how many were
// started before it.
import { after, atNextFrame, own, whenIdle } from "../dom/own-timers.ts";

/** Counts what the page starts of one kind. */
export interface Starts {
  /** Begins an action. */
  begin(): void;
  /** Returns how many the page has started so far. */
  count(): number;
  /** Returns how many it has started since, beyond those that it starts by itself. */
  started(): number;
  /** Reports if it has started one since the last call, or since the action began. */
  again(): boolean;
  /** Reports if it starts them by itself, while there is no action. */
  isRestless(): boolean;
  /** Ends the action. Later starts count as the page's own. */
  rest(): void;
}

/** The time without an action must be this long to measure the page's own starts. */
const REST_MS_MIN = 100;

interface Moment {
  /** The number that the page has started so far. */
  number: number;
  atMs: number;
}

export function createTimers(): Starts {
  return createStarts(() => {
    const number = after(0, () => undefined);
    clearTimeout(number);
    return number - own.timers;
  });
}

export function createFrames(): Starts {
  return createStarts(() => {
    const number = atNextFrame(() => undefined);
    cancelAnimationFrame(number);
    return number - own.frames;
  });
}

export function createIdles(): Starts {
  return createStarts(() => {
    const number = whenIdle(() => undefined);
    cancelIdleCallback(number);
    return number - own.idles;
  });
}

/** `count` returns how many the page has started so far. */
function createStarts(count: () => number): Starts {
  const now = (): Moment => ({ number: count(), atMs: performance.now() });
  let began: Moment = { number: 0, atMs: performance.now() };
  let resting: Moment | undefined;
  let restlessPerMs = 0;
  let last = 0;
  return {
    begin() {
      began = now();
      last = began.number;
      if (resting === undefined) return;
      const restMs = began.atMs - resting.atMs;
      if (restMs >= REST_MS_MIN) restlessPerMs = (began.number - resting.number) / restMs;
    },
    count,
    started() {
      const { number, atMs } = now();
      const byItself = restlessPerMs === 0 ? 0 : Math.ceil(restlessPerMs * (atMs - began.atMs)) + 1;
      return Math.max(0, number - began.number - byItself);
    },
    again() {
      const before = last;
      last = count();
      return last > before;
    },
    isRestless: () => restlessPerMs > 0,
    rest() {
      resting = now();
    },
  };
}
