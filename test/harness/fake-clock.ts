// A clock that the test turns.
import type { Clock } from "../../daemon/core/clock.ts";

export interface FakeClock extends Clock {
  /** Moves the time on. Calls back each alarm that is due, in order. */
  pass(ms: number): void;
  /** Moves the time of `now` forward or back. No alarm becomes due. */
  set(byMs: number): void;
  /** The number of pending alarms. */
  readonly pending: number;
}

export function fakeClock(startMs = 1_000_000): FakeClock {
  let nowMs = startMs;
  let setByMs = 0;
  const alarms = new Set<{ atMs: number; callback: () => void }>();
  const nextDue = (untilMs: number) =>
    [...alarms].filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs)[0];
  return {
    now: () => nowMs + setByMs,
    steady: () => nowMs,
    after(ms, callback) {
      const alarm = { atMs: nowMs + Math.max(0, ms), callback };
      alarms.add(alarm);
      return { cancel: () => void alarms.delete(alarm) };
    },
    set(byMs) {
      setByMs += byMs;
    },
    pass(ms) {
      const untilMs = nowMs + ms;
      for (let due = nextDue(untilMs); due; due = nextDue(untilMs)) {
        nowMs = due.atMs;
        alarms.delete(due);
        due.callback();
      }
      nowMs = untilMs;
    },
    get pending() {
      return alarms.size;
    },
  };
}
