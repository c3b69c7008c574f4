// The log of a daemon in the background: a file that is rotated while it grows.
import { copyFileSync, fstatSync, ftruncateSync, type Stats, statSync } from "node:fs";
import { DAEMON_LOG_BYTES_MAX } from "../../proto/machine/locations.ts";

/** A file that becomes FILE.1 once it has grown large. */
export class LogFile {
  readonly #fd: number;
  readonly #file: string;
  readonly #bytesMax: number;
  #bytes: number;

  /** The file behind the descriptor; undefined if that leads elsewhere, such as to a terminal or to another's file. */
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

  /** So many bytes have been appended. */
  grew(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#bytesMax) return;
    try {
      // It is copied, not renamed: the process's standard output and error go on in the file that they have.
      copyFileSync(this.#file, `${this.#file}.1`);
      ftruncateSync(this.#fd);
      this.#bytes = 0;
    } catch {
      // The disk is full, most likely. The next attempt follows once the file has grown as much again.
      this.#bytes = 0;
    }
  }
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
