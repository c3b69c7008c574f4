// Whether an element stands still: two animation frames with the same box.

import { animationsOf, holds, rectOf } from "../dom/dom.ts";
import { after, atNextFrame } from "../dom/own-timers.ts";

export const STEADY_MS_MAX = 2_000;
/** For what an endless animation moves, and for what a press has missed. */
export const RESTLESS_MS_MAX = 300;
const FRAME_MS_MAX = 100;
/** Frames that come sooner make up for late ones: the page has done nothing in between. */
const FRAME_MS_MIN = 8;
const FRAMES_MISSED_MAX = 5;

/** Whether an animation or transition that comes to an end runs on the element or on what it stands in. */
export function isArriving(el: Element): boolean {
  return animationsOf(document).some((animation) => comesToAnEnd(animation) && runsOn(animation, el));
}

/** Whether one runs on it that never ends: then it is of no use to wait for that. */
export function isEndless(el: Element): boolean {
  return animationsOf(document).some(
    (animation) => animation.playState === "running" && !comesToAnEnd(animation) && runsOn(animation, el),
  );
}

/** Whether it runs, and not for ever; it may still have to begin. */
export function comesToAnEnd({ effect, playState }: Animation): boolean {
  return playState === "running" && Number.isFinite(Number(effect?.getComputedTiming().endTime));
}

function runsOn({ effect }: Animation, el: Element): boolean {
  const target = effect instanceof KeyframeEffect ? effect.target : null;
  return target !== null && holds(target, el);
}

/** Resolves true when the box was the same in two frames in a row, false when it never was in time. */
export async function isStable(el: Element, timeMs = STEADY_MS_MAX): Promise<boolean> {
  const until = performance.now() + timeMs;
  // Of frames alone: what a page does when it sees the element come into view, it does after the first.
  let last: string | undefined;
  let lastAt = 0;
  let missed = 0;
  while (performance.now() < until) {
    // Animations move with frames: where none came, that nothing moved says nothing, but where none come at all.
    missed = (await nextFrame()) ? 0 : missed + 1;
    const now = boxText(el);
    const isLate = performance.now() - lastAt >= FRAME_MS_MIN;
    if (now === last && isLate && (missed === 0 || missed >= FRAMES_MISSED_MAX)) return true;
    if (now !== last) lastAt = performance.now();
    last = now;
  }
  return false;
}

/** Resolves true with the next animation frame; false, soon, where none comes: in a hidden tab, or on a busy machine. */
export function nextFrame(): Promise<boolean> {
  return new Promise((resolve) => {
    const late = after(FRAME_MS_MAX, () => resolve(false));
    atNextFrame(() => {
      clearTimeout(late);
      resolve(true);
    });
  });
}

function boxText(el: Element): string {
  const { x, y, width, height } = rectOf(el);
  return `${x} ${y} ${width} ${height}`;
}
