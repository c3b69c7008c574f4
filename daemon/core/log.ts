// The daemon's log on stderr: one JSON line an event, whatever its texts contain. For people on a terminal it is a line of
// words, and for systemd's journal each line has its priority.
import { isatty } from "node:tty";
import { type Logger, pino } from "pino";
import { redactedLine } from "../../proto/text/redact.ts";
import { humanLine, paintStderr } from "./human-log.ts";
import { journaldLine, leadsToJournald } from "./journald-line.ts";
import { LogFile } from "./log-file.ts";
import { LogWriter } from "./log-writer.ts";

export type Log = Logger;

const STDERR = 2;

/** A log, and the number of lines that it dropped because its reader was too slow. */
export interface OpenLog {
  log: Log;
  dropped: () => number;
}

/**
 * Opens the log. Lines are written at once, because the last lines before a crash are the interesting ones. `file` is
 * the log of a daemon in the background; it is rotated while it grows.
 */
export function openLog(level: string, file?: string): OpenLog {
  const behind = file === undefined ? undefined : LogFile.behind(STDERR, file);
  const form = formOfLines();
  const writer = new LogWriter(STDERR, (dropped) => form(toldOf(dropped)), behind);
  const base = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    hooks: { streamWrite: redactedLine },
  };
  const log = pino(base, { write: (line) => writer.write(form(line)) });
  const toldOf = (dropped: number) => {
    let line = "";
    const teller = pino(base, { write: (text) => (line = text) });
    teller.warn({ dropped }, "lines of this log were dropped: nobody read them in time");
    return line;
  };
  process.once("exit", () => writer[Symbol.dispose]());
  return { log, dropped: () => writer.dropped };
}

function formOfLines(): (line: string) => string {
  if (isatty(STDERR)) return (line) => humanLine(line, paintStderr);
  return leadsToJournald(STDERR, process.env) ? journaldLine : (line) => line;
}
