// Gives lines of the log their priority in systemd's journal, as sd-daemon(3) describes.
import { fstatSync } from "node:fs";

/** Syslog's priorities by the levels of the log. */
const PRIORITIES: Readonly<Record<string, number>> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 };

/** Returns true if the descriptor leads to the journal. */
export function leadsToJournald(fd: number, { JOURNAL_STREAM }: NodeJS.ProcessEnv): boolean {
  if (JOURNAL_STREAM === undefined) return false;
  const { dev, ino } = fstatSync(fd);
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

/** Returns a JSON line of the log with its priority before it. The journal keeps the line without it. */
export function journaldLine(line: string): string {
  const [, level = ""] = /^\{"level":(\d+),/.exec(line) ?? [];
  const priority = PRIORITIES[level];
  return priority === undefined ? line : `<${priority}>${line}`;
}
