// Reads /proc/PID/stat, in which Linux describes a process (proc_pid_stat(5)).
import { readFileSync } from "node:fs";

/** Returns the fields behind the process's name, from its state on. Throws if the file cannot be read. */
export function processStat(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name, in parentheses, may hold any character.
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}
