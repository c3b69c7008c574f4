// Bounds a log line about a failure that lasts, such as a database that does not answer.
import type { Clock } from "./clock.ts";

const SAID_EACH_MS = 60_000;

/** Returns a function that calls `say`, unless it did so less than a minute ago. */
export function onceAMinute(
  clock: Pick<Clock, "steady">,
  say: (error: unknown) => void,
): (error: unknown) => void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    const nowMs = clock.steady();
    if (nowMs - saidAtMs < SAID_EACH_MS) return;
    saidAtMs = nowMs;
    say(error);
  };
}
