// Names the kinds of a daemon's processes.
import { read } from "../../harness/proc.ts";

export type ProcessKind = "daemon" | "worker" | "browser" | "page" | "browser's help";

/** Returns the kind of a process by its command line. */
export function kindOf(pid: number, daemon: number): ProcessKind {
  if (pid === daemon) return "daemon";
  const command = read(`/proc/${pid}/cmdline`) ?? "";
  if (command.includes("worker/main.ts")) return "worker";
  const [, type] = /--type=([\w-]+)/.exec(command) ?? [];
  if (type === undefined) return "browser";
  return type === "renderer" ? "page" : "browser's help";
}
