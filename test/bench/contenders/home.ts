/** A folder for one server to live in. Its files and its leftover processes end with it. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export async function temporaryHome(): Promise<AsyncDisposable & { dir: string }> {
  const dir = await mkdtemp(path.join(tmpdir(), "troupe-bench-"));
  return {
    dir,
    async [Symbol.asyncDispose]() {
      for (const pid of processesOf(dir)) end(pid);
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Finds processes with the folder in their environment or arguments. A crashed server cannot end its own. */
function processesOf(dir: string): number[] {
  if (process.platform !== "linux") return [];
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return all
    .filter((pid) => textOf(pid, "environ").includes(dir) || textOf(pid, "cmdline").includes(dir))
    .map(Number);
}

/** Empty for a process that has ended, or that belongs to another user. */
function textOf(pid: string, file: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return "";
    throw error;
  }
}

/** Sends the signal. A process that has just ended by itself is fine. */
export function end(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
