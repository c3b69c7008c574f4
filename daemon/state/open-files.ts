// Lists the files that a process has open, on Linux.
import { readdirSync, readlinkSync } from "node:fs";
import path from "node:path";

/** Returns the paths of files, and the names of sockets. Another user's process has none. */
export function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return list(folder).flatMap((name) => {
    try {
      return [readlinkSync(path.join(folder, name))];
    } catch {
      // The process has closed the file meanwhile.
      return [];
    }
  });
}

/** A folder that another user owns, or that is gone, counts as empty. */
export function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
