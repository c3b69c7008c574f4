// The log of a daemon that was started in the background: bounded, and asked for its last words.
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const ROTATE_BYTES = 5 * 1024 * 1024;
const READ_BYTES_MAX = 64 * 1024;
const LAST_WORDS_MAX = 1500;

export interface DaemonLog extends Disposable {
  /** For the daemon's output. */
  fd: number;
  /** What has been written since it was opened: its last lines, without escape sequences. */
  lastWords(): string;
}

/** Opens the log to append to it; one that has grown large becomes FILE.1 first. */
export function openDaemonLog(file: string): DaemonLog {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > ROTATE_BYTES) renameSync(file, `${file}.1`);
  const fd = openSync(file, "a+", 0o600);
  const from = fstatSync(fd).size;
  return {
    fd,
    lastWords: () => {
      const size = fstatSync(fd).size;
      const bytes = Buffer.alloc(Math.min(size - from, READ_BYTES_MAX));
      readSync(fd, bytes, 0, bytes.length, size - bytes.length);
      return tail(bytes.toString("utf8"));
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

function tail(text: string): string {
  const plain = stripVTControlCharacters(text).trim();
  return plain.length > LAST_WORDS_MAX ? `… ${plain.slice(-LAST_WORDS_MAX)}` : plain;
}
