// Reads /proc/PID/stat, in which Linux describes a process (proc_pid_stat(5)).
import { readFileSync } from "node:fs";

/** Returns the fields behind the process's name, from its state on. Throws if the file cannot be read. */
export function processStat(pid: number): string[] {
  return statFields(readFileSync(`/proc/${pid}/stat`, "latin1"));
}

/** Returns the same fields of the file's text. */
export function statFields(text: string): string[] {
  // The name, in parentheses, may hold any character.
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}
