// Time for the daemon's parts. A test can pass a clock of its own and turn it.

export interface Alarm {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch by the machine's clock: for dates and for reports. */
  now(): number;
  /** Milliseconds that pass evenly from an arbitrary start, even if the machine's clock is set: for durations. */
  steady(): number;
  /** Calls back once after `ms`. The alarm does not keep the process alive. */
  after(ms: number, callback: () => void): Alarm;
}

/** Node.js fires a longer timer at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  steady: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), TIMER_MS_MAX));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
