// The bridge's own timers, counted: they take numbers from the same count as the page's.

let started = 0;

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
