// Starts and counts the bridge's own timers, frames and idle callbacks. They take numbers from the same counters as the
// page's.

let started = 0;
let frames = 0;
let idles = 0;

/** Works as `setTimeout` does. `clearTimeout` takes the result. */
export function after(timeMs: number, run: () => void): number {
  started++;
  // The bridge is compiled without Node's types. With them, the result would be an object.
  return setTimeout(run, timeMs) as unknown as number;
}

/** Returns how many timers the bridge has started in this document. */
export function ownTimers(): number {
  return started;
}

/** Works as `requestAnimationFrame` does. */
export function atNextFrame(run: () => void): number {
  frames++;
  return requestAnimationFrame(run);
}

/** Returns how many frames the bridge has requested in this document. */
export function ownFrames(): number {
  return frames;
}

/** Works as `requestIdleCallback` does. */
export function whenIdle(run: IdleRequestCallback, timeMs?: number): number {
  idles++;
  return requestIdleCallback(run, timeMs === undefined ? {} : { timeout: timeMs });
}

/** Returns how many idle callbacks the bridge has requested in this document. */
export function ownIdles(): number {
  return idles;
}

/** Resolves with true when the browser is idle, or with false at the end of the time. */
export function idle(timeMs: number): Promise<boolean> {
  return new Promise((resolve) => whenIdle(({ didTimeout }) => resolve(!didTimeout), timeMs));
}
