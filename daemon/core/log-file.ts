// The log of a daemon in the background: a file that is rotated while it grows.
import { copyFileSync, fstatSync, ftruncateSync, type Stats, statSync } from "node:fs";
import { DAEMON_LOG_BYTES_MAX } from "../../proto/machine/locations.ts";

/** Copies a large log to FILE.1 and starts it again. */
export class LogFile {
  readonly #fd: number;
  readonly #file: string;
  readonly #bytesMax: number;
  #bytes: number;

  /**
   * Returns the file behind the descriptor. Returns undefined if the descriptor leads elsewhere, such as to a terminal
   * or to another program's file.
   */
  static behind(fd: number, file: string, bytesMax = DAEMON_LOG_BYTES_MAX): LogFile | undefined {
    const stats = fstatSync(fd);
    const named = statSync(file, { throwIfNoEntry: false });
    return named && isSame(stats, named) ? new LogFile(fd, file, stats.size, bytesMax) : undefined;
  }

  private constructor(fd: number, file: string, bytes: number, bytesMax: number) {
    this.#fd = fd;
    this.#file = file;
    this.#bytes = bytes;
    this.#bytesMax = bytesMax;
  }

  /** Counts appended bytes, and rotates the file if it is too large. */
  grew(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#bytesMax) return;
    try {
      // The file is copied, not renamed: standard output and error keep their open file.
      copyFileSync(this.#file, `${this.#file}.1`);
      ftruncateSync(this.#fd);
      this.#bytes = 0;
    } catch {
      // The disk is probably full. The next attempt follows after the file has grown by the same amount again.
      this.#bytes = 0;
    }
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
