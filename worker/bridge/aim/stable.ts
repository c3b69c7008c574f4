// Waits until an element is stable: two animation frames with the same box.

import { animationsOf, holds, rectOf } from "../dom/dom.ts";
import { after, atNextFrame } from "../dom/own-timers.ts";

export const STEADY_MS_MAX = 2_000;
/** This limit applies to an element that an endless animation moves, or that a press has missed. */
export const RESTLESS_MS_MAX = 300;
const FRAME_MS_MAX = 100;
/** Frames that come sooner make up for late ones: the page has done nothing in between. */
const FRAME_MS_MIN = 8;
const FRAMES_MISSED_MAX = 5;

/** Reports if a finite animation or transition runs on the element or on an ancestor. */
export function isArriving(el: Element): boolean {
  return animationsOf(document).some((animation) => comesToAnEnd(animation) && runsOn(animation, el));
}

/** Reports if an endless animation runs on it. To wait for its end is useless. */
export function isEndless(el: Element): boolean {
  return animationsOf(document).some(
    (animation) => animation.playState === "running" && !comesToAnEnd(animation) && runsOn(animation, el),
  );
}

/** Reports if the animation runs and is finite. It may still have to begin. */
export function comesToAnEnd({ effect, playState }: Animation): boolean {
  return playState === "running" && Number.isFinite(Number(effect?.getComputedTiming().endTime));
}

function runsOn({ effect }: Animation, el: Element): boolean {
  const target = effect instanceof KeyframeEffect ? effect.target : null;
  return target !== null && holds(target, el);
}

/** Resolves to true after two frames in a row with the same box, or to false in the end. */
export async function isStable(el: Element, timeMs = STEADY_MS_MAX): Promise<boolean> {
  const until = performance.now() + timeMs;
  // Only boxes at frames count. A page reacts to an element that comes into view only after the first frame.
  let last: string | undefined;
  let lastAt = 0;
  let missed = 0;
  while (performance.now() < until) {
    // Animations move with frames. Without a frame, an unchanged box proves nothing, unless no frames come at all.
    missed = (await nextFrame()) ? 0 : missed + 1;
    const now = boxText(el);
    const isLate = performance.now() - lastAt >= FRAME_MS_MIN;
    if (now === last && isLate && (missed === 0 || missed >= FRAMES_MISSED_MAX)) return true;
    if (now !== last) lastAt = performance.now();
    last = now;
  }
  return false;
}

/**
 * Resolves to true with the next animation frame. It soon resolves to false if none comes: in a hidden tab, or on a
 * busy machine.
 */
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
