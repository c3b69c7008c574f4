// Keeps the log of a daemon started in the background within a bound, and reads its last words.
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { DAEMON_LOG_BYTES_MAX } from "../../proto/machine/locations.ts";

const READ_BYTES_MAX = 64 * 1024;
const LAST_WORDS_MAX = 1500;

export interface DaemonLog extends Disposable {
  /** The file descriptor for the daemon's output. */
  fd: number;
  /** The last lines that were written since the log was opened, without those that are not for people. */
  lastWords(): string;
}

/** Opens the log for appending. A large log becomes FILE.1 first. A running daemon rotates its log itself. */
export function openDaemonLog(file: string): DaemonLog {
  const { size: bytes = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (bytes > DAEMON_LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  const fd = openSync(file, "a+", 0o600);
  const from = fstatSync(fd).size;
  return {
    fd,
    lastWords: () => {
      const size = fstatSync(fd).size;
      // The log is shorter than before if the daemon has rotated it.
      const bytes = Buffer.alloc(Math.min(size < from ? size : size - from, READ_BYTES_MAX));
      readSync(fd, bytes, 0, bytes.length, size - bytes.length);
      return spoken(bytes.toString("utf8"));
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

/** Keeps only lines for people: no JSON records, no stacks, and no repeated line if two daemons wrote it. */
export function spoken(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line && !/^(\{|\s+at |Node\.js v)/.test(line));
  const told = [...new Set(lines)].join("\n");
  return told.length > LAST_WORDS_MAX ? `… ${told.slice(-LAST_WORDS_MAX)}` : told;
}
