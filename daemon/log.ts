// The daemon's log: JSON on stderr, one line an event, whatever the texts in it hold.
import { destination, type Logger, pino } from "pino";

export type Log = Logger;

/** Opens the log. Lines are written at once: the last words of a process that dies are the interesting ones. */
export function openLog(level: string): Log {
  return pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  );
}
