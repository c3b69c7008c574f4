// Writes the worker's log as JSON lines to stderr. The daemon copies them into its own log.
import pino from "pino";
import { redactedLine } from "../../proto/text/redact.ts";

export type Logger = pino.Logger;

export function openLog(role: string, level = process.env.TROUPE_LOG_LEVEL ?? "info"): Logger {
  const hooks = { streamWrite: redactedLine };
  return pino({ level, base: { role, pid: process.pid }, hooks }, pino.destination({ dest: 2, sync: true }));
}
