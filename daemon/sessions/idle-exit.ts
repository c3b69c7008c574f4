// An autostarted daemon leaves when nobody has had a session for a while.
import type { Alarm, Clock } from "../core/clock.ts";

/** Looks again at whether the daemon is idle; to be called whenever a session begins or ends. */
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
