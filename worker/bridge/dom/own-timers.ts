// The bridge's own timers, frames and idle callbacks, counted: they take numbers from the same counts as the page's.

let started = 0;
let frames = 0;
let idles = 0;

/** As `setTimeout`; `clearTimeout` takes what it returns. */
export function after(timeMs: number, run: () => void): number {
  started++;
  // The bridge has no types of Node's.
  return setTimeout(run, timeMs) as unknown as number;
}

/** How many the bridge has started in this document. */
export function ownTimers(): number {
  return started;
}

/** As `requestAnimationFrame`. */
export function atNextFrame(run: () => void): number {
  frames++;
  return requestAnimationFrame(run);
}

/** How many frames the bridge has asked for in this document. */
export function ownFrames(): number {
  return frames;
}

/** As `requestIdleCallback`. */
export function whenIdle(run: () => void, timeMs?: number): number {
  idles++;
  return requestIdleCallback(run, timeMs === undefined ? {} : { timeout: timeMs });
}

/** How many idle callbacks the bridge has asked for in this document. */
export function ownIdles(): number {
  return idles;
}

/** Resolves when the browser is idle, at the end of the time at the latest. */
export function idle(timeMs: number): Promise<void> {
  return new Promise((resolve) => whenIdle(resolve, timeMs));
}
