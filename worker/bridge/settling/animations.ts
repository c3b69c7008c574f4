// Finds the finite transitions and animations that an action began.
import { animationsOf } from "../dom/dom.ts";
import { after } from "../dom/own-timers.ts";

/** An animation with more time left counts as endless: a progress bar, a slow background. */
const LEFT_MS_MAX = 1_000;
/** Chrome begins an animation with the next frame. */
const FRAME_MS = 50;
const ROOTS_MAX = 200;

/** Returns those that began at most `sinceMs` ago, in the document and these shadow roots. */
export function finiteAnimations(roots: readonly ShadowRoot[], sinceMs: number): Animation[] {
  const all = [document, ...roots.slice(0, ROOTS_MAX)].flatMap((root) => animationsOf(root));
  return all.filter((animation) => {
    const leftMs = leftOf(animation);
    return leftMs > 0 && leftMs <= LEFT_MS_MAX && ageOf(animation) <= sinceMs + FRAME_MS;
  });
}

/** Resolves when they have ended or were cancelled, or after `timeMs`. */
export async function ended(animations: readonly Animation[], timeMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = after(timeMs, resolve);
  // A cancelled animation rejects its promise, but has ended like any other.
  await Promise.race([Promise.allSettled(animations.map(({ finished }) => finished)), late]);
  clearTimeout(timer);
}

function leftOf({ effect, currentTime, playbackRate, playState, timeline }: Animation): number {
  if (playState !== "running" || timeline !== document.timeline || playbackRate <= 0) return 0;
  const endMs = Number(effect?.getComputedTiming().endTime);
  return (endMs - Number(currentTime ?? 0)) / playbackRate;
}

function ageOf({ startTime }: Animation): number {
  return startTime === null ? 0 : Number(document.timeline.currentTime) - Number(startTime);
}
