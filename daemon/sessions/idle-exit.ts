// Ends a daemon that started automatically, after a time without any session.
import type { Alarm, Clock } from "../core/clock.ts";

/** Returns a function that checks if the daemon is idle. The caller calls it when a session begins or ends. */
export function idleExit(
  afterMs: number | undefined,
  sessions: { size: number },
  clock: Clock,
  leave: () => void,
): () => void {
  if (afterMs === undefined) return () => undefined;
  let alarm: Alarm | undefined;
  const look = () => {
    alarm?.cancel();
    alarm = sessions.size === 0 ? clock.after(afterMs, leave) : undefined;
  };
  look();
  return look;
}
