// Whether an element stands still: two animation frames with the same box.

import { animationsOf, holds, rectOf } from "./dom.ts";

const STEADY_MS_MAX = 2_000;
const FRAME_MS_MAX = 100;

/** Whether an animation or transition runs on the element or on what it stands in. */
export function isAnimated(el: Element): boolean {
  return animationsOf(document).some((animation) => {
    const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
    return animation.playState === "running" && target !== null && holds(target, el);
  });
}

/** Resolves true when the box was the same in two frames in a row, false when it never was in time. */
export async function standsStill(el: Element): Promise<boolean> {
  const until = performance.now() + STEADY_MS_MAX;
  let last = boxText(el);
  while (performance.now() < until) {
    await nextFrame();
    const now = boxText(el);
    if (now === last) return true;
    last = now;
  }
  return false;
}

/** The next animation frame; in a hidden tab, where none comes, soon. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, FRAME_MS_MAX);
    requestAnimationFrame(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

function boxText(el: Element): string {
  const { x, y, width, height } = rectOf(el);
  return `${x} ${y} ${width} ${height}`;
}
