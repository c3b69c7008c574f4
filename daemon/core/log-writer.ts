// Where log lines go: written at once while their reader keeps up, kept within a bound while it does not, then counted.
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { LogFile } from "./log-file.ts";

/** What may wait for a reader that has stalled. */
const WAITING_BYTES_MAX = 2 ** 20;
/** How soon a reader that has stalled is tried again. */
const RETRY_MS = 50;
/** How long the last lines of a process may wait for their reader. */
const LAST_MS_MAX = 500;
const LAST_RETRY_MS = 10;

/** Writes lines to a file descriptor, and never waits for who reads them. */
export class LogWriter implements Disposable {
  readonly #fd: number;
  readonly #isOwn: boolean;
  readonly #file: LogFile | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  #dropped = 0;
  #untold = 0;
  readonly #tell: (dropped: number) => string;

  /** `tell` makes the line that says how many were dropped, once there is room again. `file`: that behind the descriptor. */
  constructor(fd: number, tell: (dropped: number) => string, file?: LogFile) {
    const own = notWaiting(fd);
    this.#fd = own ?? fd;
    this.#isOwn = own !== undefined;
    this.#tell = tell;
    this.#file = file;
  }

  /** Lines that were dropped since the beginning. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes a line with its end. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waiting.length > 0) this.#keep(bytes);
    else this.#left(bytes);
    this.#file?.grew(bytes.length);
  }

  /** Writes what waits, as far as its reader takes it soon. */
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
      this.#untold++;
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#drain();
    }, RETRY_MS).unref();
  }

  /** Writes what waits; whether nothing is left. */
  #drain(): boolean {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const [index, bytes] of waiting.entries()) {
      if (this.#left(bytes)) continue;
      for (const later of waiting.slice(index + 1)) this.#keep(later);
      return false;
    }
    if (this.#untold === 0) return true;
    const line = this.#tell(this.#untold);
    this.#untold = 0;
    return this.#left(Buffer.from(line));
  }

  /** Writes what is taken, and keeps the rest; whether all was taken. */
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
      // Its reader is gone, or its disk is full: no reason to end.
      this.#dropped++;
      this.#untold++;
      return true;
    }
  }
}

/** What nobody changes, to wait on. */
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * The same file as a descriptor whose writes do not wait; undefined where there is none, or no need. Others who write to
 * the same pipe or terminal wait as before, as it is opened anew.
 */
function notWaiting(fd: number): number | undefined {
  try {
    if (fstatSync(fd).isFile()) return undefined;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  } catch {
    // A socket cannot be opened anew. Node sets it so, as soon as its stream is made.
    if (fd === 2) void process.stderr.writableLength;
    return undefined;
  }
}
