// Reads the note of a daemon that runs. A daemon that was killed leaves its note behind.
import { existsSync, realpathSync } from "node:fs";
import type { DaemonNote, StateFiles } from "../../proto/machine/locations.ts";
import { openFiles } from "./open-files.ts";
import { readNote } from "./state-dir.ts";

/** Returns undefined if no daemon runs on the state folder, or it has not written its note yet. */
export function runningNote({ note, lock }: Pick<StateFiles, "note" | "lock">): DaemonNote | undefined {
  const written = readNote(note);
  return written && exists(written.pid) && holds(written.pid, lock) ? written : undefined;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process is another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Another process may have the id by now. A process whose open files cannot be listed counts as the daemon. */
function holds(pid: number, lock: string): boolean {
  const open = openFiles(pid);
  return open.length === 0 || (existsSync(lock) && open.includes(realpathSync(lock)));
}
