// Whether the page has started timers, or asked for frames or idle time. All worlds of a document take the numbers of these
// from one count each (for timers, Chrome's DOMTimerCoordinator), so one of our own tells how many were started before it.
import { after, atNextFrame, ownFrames, ownIdles, ownTimers, whenIdle } from "../dom/own-timers.ts";

/** What the page starts of one kind. */
export interface Starts {
  /** An action begins. */
  begin(): void;
  /** How many it has started so far. */
  count(): number;
  /** How many it has started since, beyond what it starts by itself. */
  started(): number;
  /** Whether it has started one since this was last asked, or since the action began. */
  again(): boolean;
  /** Whether it starts them by itself, while no action is under way. */
  isRestless(): boolean;
  /** The action is over: what the page starts from here on, it starts by itself. */
  rest(): void;
}

/** A rest must last so long to tell how often the page starts them by itself. */
const REST_MS_MIN = 100;

interface Moment {
  /** How many the page has started so far. */
  number: number;
  atMs: number;
}

export function createTimers(): Starts {
  return createStarts(() => {
    const number = after(0, () => undefined);
    clearTimeout(number);
    return number - ownTimers();
  });
}

export function createFrames(): Starts {
  return createStarts(() => {
    const number = atNextFrame(() => undefined);
    cancelAnimationFrame(number);
    return number - ownFrames();
  });
}

export function createIdles(): Starts {
  return createStarts(() => {
    const number = whenIdle(() => undefined);
    cancelIdleCallback(number);
    return number - ownIdles();
  });
}

/** `count`: how many the page has started so far. */
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
