// The worker's log: JSON lines on stderr, which the daemon takes into its own.
import pino from "pino";

export type Logger = pino.Logger;

export function openLog(role: string, level = process.env.TROUPE_LOG_LEVEL ?? "info"): Logger {
  return pino({ level, base: { role, pid: process.pid } }, pino.destination({ dest: 2, sync: true }));
}
