// A file that the configuration is made of: read whole, bounded, and without waiting for whoever writes to a pipe.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** What a file holds, or why it cannot be had, in words that follow its name: "is not there". */
export type SmallFile = { bytes: Buffer } | { why: string };

/** Larger files are no configuration; a broken one of this size is read for two seconds, in which nothing else is done. */
export const CONFIGURATION_KIB_MAX = 256;
/** Larger files are no certificates or keys. */
const KEYS_KIB_MAX = 1024;

const CHUNK_KIB = 16;

const WHY: Record<string, string> = {
  ENOENT: "is not there",
  ENOTDIR: "is not there",
  EACCES: "may not be read",
  EISDIR: "is a folder",
  ENXIO: "is no file",
  ELOOP: "is a link to itself",
};

/** Reads the file. */
export function readSmallFile(file: string, kibMax = KEYS_KIB_MAX): SmallFile {
  let descriptor: number | undefined;
  try {
    // A pipe would keep the daemon from all else until somebody opens its other end.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const about = fstatSync(descriptor);
    if (about.isDirectory()) return { why: "is a folder" };
    if (!about.isFile() && !about.isCharacterDevice()) return { why: "is no file" };
    return readWhole(descriptor, kibMax);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return { why: WHY[code] ?? `cannot be read (${code})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readWhole(descriptor: number, kibMax: number): SmallFile {
  const parts: Buffer[] = [];
  for (let kib = 0; kib <= kibMax; kib += CHUNK_KIB) {
    const chunk = Buffer.allocUnsafe(CHUNK_KIB * 1024);
    const read = readSync(descriptor, chunk);
    if (read === 0) return { bytes: Buffer.concat(parts) };
    parts.push(chunk.subarray(0, read));
  }
  return { why: `is larger than ${kibMax} KiB` };
}
