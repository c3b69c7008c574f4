// Reads a file of the configuration: whole, bounded, and without a wait for a pipe's writer.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** A file's content, or the reason that it cannot be read. The reason's words follow the name: "is not there". */
export type SmallFile = { bytes: Buffer } | { why: string };

/** No configuration is larger. A broken file of this size takes two seconds to read, and those block all else. */
export const CONFIGURATION_KIB_MAX = 256;
/** No certificate or key is larger. */
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

/** Reads the file. Returns a reason instead if it is larger than `kibMax`. */
export function readSmallFile(file: string, kibMax = KEYS_KIB_MAX): SmallFile {
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, a pipe would block the daemon until another process opens its other end.
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
