// Writes log lines at once while their reader keeps up. If the reader stalls, it keeps a bounded number of bytes and
// counts the lines that it drops.
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { LogFile } from "./log-file.ts";

/** Bytes that may wait for a stalled reader. */
const WAITING_BYTES_MAX = 2 ** 20;
/** The time between two attempts at a stalled reader. */
const RETRY_MS = 50;
/** The time that the last lines of a process may wait for their reader. */
const LAST_MS_MAX = 500;
const LAST_RETRY_MS = 10;

/** Writes lines to a file descriptor, and never waits for their reader. */
export class LogWriter implements Disposable {
  readonly #fd: number;
  readonly #isOwn: boolean;
  readonly #file: LogFile | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  #dropped = 0;
  #unreported = 0;
  readonly #reportOf: (dropped: number) => string;

  /**
   * `reportOf` makes the line that reports the number of dropped lines, once there is room again. `file` is the file behind
   * the descriptor.
   */
  constructor(fd: number, reportOf: (dropped: number) => string, file?: LogFile) {
    const own = notWaiting(fd);
    this.#fd = own ?? fd;
    this.#isOwn = own !== undefined;
    this.#reportOf = reportOf;
    this.#file = file;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Writes a line. The line includes its newline. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waiting.length > 0) this.#keep(bytes);
    else this.#left(bytes);
    this.#file?.grew(bytes.length);
  }

  /** Writes the waiting lines, if their reader takes them soon. */
  [Symbol.dispose](): void {
    clearTimeout(this.#retry);
    const endMs = performance.now() + LAST_MS_MAX;
    while (!this.#drain() && performance.now() < endMs) Atomics.wait(NEVER, 0, 0, LAST_RETRY_MS);
    clearTimeout(this.#retry);
    if (this.#isOwn) closeSync(this.#fd);
  }

  #keep(bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > WAITING_BYTES_MAX) {
      this.#dropped++;
      this.#unreported++;
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#drain();
    }, RETRY_MS).unref();
  }

  /** Writes the waiting lines. Returns true if none is left. */
  #drain(): boolean {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const [index, bytes] of waiting.entries()) {
      if (this.#left(bytes)) continue;
      for (const later of waiting.slice(index + 1)) this.#keep(later);
      return false;
    }
    if (this.#unreported === 0) return true;
    const line = this.#reportOf(this.#unreported);
    this.#unreported = 0;
    return this.#left(Buffer.from(line));
  }

  /** Writes as much as the reader takes, and keeps the rest. Returns true if nothing is kept. */
  #left(bytes: Buffer): boolean {
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(this.#fd, bytes, at);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
        this.#keep(bytes.subarray(at));
        return false;
      }
      // The reader is gone or the disk is full. The daemon goes on.
      this.#dropped++;
      this.#unreported++;
      return true;
    }
  }
}

/** A value that never changes, for Atomics.wait to sleep on. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * Opens the same file again as a descriptor whose writes do not wait. Returns undefined if that is impossible or
 * needless. Other writers to the same pipe or terminal keep their blocking writes, because the file is opened anew.
 */
function notWaiting(fd: number): number | undefined {
  try {
    if (fstatSync(fd).isFile()) return undefined;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  } catch {
    // A socket cannot be opened anew. Node makes it non-blocking as soon as it creates the stream.
    if (fd === 2) void process.stderr.writableLength;
    return undefined;
  }
}
