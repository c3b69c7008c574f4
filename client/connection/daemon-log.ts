// The log of a daemon that was started in the background: bounded, and asked for its last words.
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { DAEMON_LOG_BYTES_MAX } from "../../proto/machine/locations.ts";

const READ_BYTES_MAX = 64 * 1024;
const LAST_WORDS_MAX = 1500;

export interface DaemonLog extends Disposable {
  /** For the daemon's output. */
  fd: number;
  /** What has been written since it was opened: its last lines, as far as they are for people. */
  lastWords(): string;
}

/** Opens the log to append to it; one that has grown large becomes FILE.1 first. A daemon that runs rotates it itself. */
export function openDaemonLog(file: string): DaemonLog {
  const { size: bytes = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (bytes > DAEMON_LOG_BYTES_MAX) renameSync(file, `${file}.1`);
  const fd = openSync(file, "a+", 0o600);
  const from = fstatSync(fd).size;
  return {
    fd,
    lastWords: () => {
      const size = fstatSync(fd).size;
      // It is shorter than before if the daemon has rotated it.
      const bytes = Buffer.alloc(Math.min(size < from ? size : size - from, READ_BYTES_MAX));
      readSync(fd, bytes, 0, bytes.length, size - bytes.length);
      return spoken(bytes.toString("utf8"));
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

/** What was written for people: no records in JSON, no stacks, nothing twice where two daemons said it. */
export function spoken(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line && !/^(\{|\s+at |Node\.js v)/.test(line));
  const told = [...new Set(lines)].join("\n");
  return told.length > LAST_WORDS_MAX ? `… ${told.slice(-LAST_WORDS_MAX)}` : told;
}
