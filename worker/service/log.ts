// Writes the worker's log as JSON lines to stderr. The daemon copies them into its own log.
import pino from "pino";
import { redactedLine } from "../../proto/text/redact.ts";
import type { Redactor } from "../secrets/redactor.ts";

export type Logger = pino.Logger;

export function openLog(role: string, redactor: Redactor): Logger {
  const level = process.env.TROUPE_LOG_LEVEL ?? "info";
  const hooks = { streamWrite: (line: string) => redactor.text(redactedLine(line)) };
  return pino({ level, base: { role, pid: process.pid }, hooks }, pino.destination({ dest: 2, sync: true }));
}
