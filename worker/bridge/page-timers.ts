// Whether the page has started timers or asked for frames. All worlds of a document take the numbers of their timers from
// one count (Chrome's DOMTimerCoordinator), so a timer of our own tells how many were started before it. Animation frames
// likewise.
import { after, atNextFrame, ownFrames, ownTimers } from "./timer.ts";

export interface PageTimers {
  /** An action begins. */
  begin(): void;
  /** Whether the page has started timers since, more than it does by itself. */
  started(): boolean;
  /** Whether the page has asked for an animation frame since it was last asked, or since the action began. */
  isFrameAsked(): boolean;
  /** The action is over: what the page starts from here on, it starts by itself. */
  rest(): void;
}

/** A rest must last so long to tell how often the page starts timers by itself. */
const REST_MS_MIN = 100;

interface Moment {
  /** How many timers the page has started so far. */
  number: number;
  atMs: number;
}

export function createPageTimers(): PageTimers {
  let began: Moment = { number: 0, atMs: performance.now() };
  let resting: Moment | undefined;
  let restlessPerMs = 0;
  let frame = 0;
  return {
    begin() {
      began = now();
      frame = framesAsked();
      if (resting === undefined) return;
      const restMs = began.atMs - resting.atMs;
      if (restMs >= REST_MS_MIN) restlessPerMs = (began.number - resting.number) / restMs;
    },
    started() {
      const { number, atMs } = now();
      const byItself = restlessPerMs === 0 ? 0 : Math.ceil(restlessPerMs * (atMs - began.atMs)) + 1;
      return number - began.number > byItself;
    },
    isFrameAsked() {
      const before = frame;
      frame = framesAsked();
      return frame > before;
    },
    rest() {
      resting = now();
    },
  };
}

function now(): Moment {
  const number = after(0, () => undefined);
  clearTimeout(number);
  return { number: number - ownTimers(), atMs: performance.now() };
}

/** How many frames the page has asked for so far. */
function framesAsked(): number {
  const number = atNextFrame(() => undefined);
  cancelAnimationFrame(number);
  return number - ownFrames();
}
