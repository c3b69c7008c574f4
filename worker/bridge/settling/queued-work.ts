// Waits for the work that a page has queued: tasks, frames, idle time.
import { nextTurn } from "../dom/next-turn.ts";
import { idle } from "../dom/own-timers.ts";
import type { createFrames, createIdles } from "./page-timers.ts";

const TURNS = 2;
/** A turn of this length ran parts of split work: a long rendering, a chain of messages. */
const TURN_MS_MIN = 3;
const TURNS_MS_MAX = 1_000;
/** A page may ask for a second frame in the first, to be sure that the first was painted. */
export const FRAMES = 2;
/** A page that asks for frames only since the action draws an effect. */
const EFFECT_FRAMES = 15;
const IDLE_MS_MAX = 100;
const IDLES_MAX = 10;

interface Requested {
  frames: ReturnType<typeof createFrames>;
  idles: ReturnType<typeof createIdles>;
  paintedFrames: (count: number) => Promise<void>;
  /** The action scrolls, which takes frames that the page has not requested. */
  scrolls: boolean;
  untilMs: number;
}

/** Waits for the page's queued tasks, and for the frames and the idle time that it has requested. */
export async function requested({
  frames,
  idles,
  paintedFrames,
  scrolls,
  untilMs,
}: Requested): Promise<void> {
  await turns(untilMs);
  const framesMax = frames.isRestless() ? FRAMES : EFFECT_FRAMES;
  for (let n = 0; n < framesMax && ((scrolls && n < FRAMES) || frames.again()); n++) await paintedFrames(1);
  // The page's own callback still waits if the browser was not idle in time.
  let isWaiting = !idles.isRestless() && idles.again();
  for (let n = 0; n < IDLES_MAX && isWaiting; n++) isWaiting = !(await idle(IDLE_MS_MAX)) || idles.again();
}

/** Waits until the page's queued tasks have run, and the tasks that these queued if they take long. */
export async function turns(untilMs: number): Promise<void> {
  const endMs = Math.min(untilMs, performance.now() + TURNS_MS_MAX);
  for (
    let turn = 0, tookMs = 0;
    turn < TURNS || (tookMs >= TURN_MS_MIN && performance.now() < endMs);
    turn++
  ) {
    const beganAtMs = performance.now();
    await nextTurn();
    tookMs = performance.now() - beganAtMs;
  }
}
