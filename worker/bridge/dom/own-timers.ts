// Starts and counts the bridge's own timers, frames and idle callbacks. They take numbers from the same counters as the
// page's.

/** Counts what the bridge has started in this document. */
export const own = { timers: 0, frames: 0, idles: 0 };

/** Works as `setTimeout` does. `clearTimeout` takes the result. */
export function after(timeMs: number, run: () => void): number {
  own.timers++;
  // The bridge is compiled without Node's types. With them, the result would be an object.
  return setTimeout(run, timeMs) as unknown as number;
}

/** Works as `requestAnimationFrame` does. */
export function atNextFrame(run: () => void): number {
  own.frames++;
  return requestAnimationFrame(run);
}

/** Works as `requestIdleCallback` does. */
export function whenIdle(run: IdleRequestCallback, timeMs?: number): number {
  own.idles++;
  return requestIdleCallback(run, timeMs === undefined ? {} : { timeout: timeMs });
}

/** Resolves with true when the browser is idle, or with false at the end of the time. */
export function idle(timeMs: number): Promise<boolean> {
  return new Promise((resolve) => whenIdle(({ didTimeout }) => resolve(!didTimeout), timeMs));
}
