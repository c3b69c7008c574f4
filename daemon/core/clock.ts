// Time as the daemon's parts see it: what they decide by it can be tried with a clock that the test turns.

/** A timer that was set. */
export interface Alarm {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch, as the machine's clock is set: for what is told, and for dates. */
  now(): number;
  /** Milliseconds that pass evenly, whatever the clock is set to, from some beginning: for how long something lasts. */
  steady(): number;
  /** Calls back once. The alarm does not keep the process alive. */
  after(ms: number, callback: () => void): Alarm;
}

/** Longer timers would fire at once. */
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
