// Finds the processes that draw a worker's pages, for tests that kill them.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { statOf } from "../../harness/proc.ts";
import type { Worker } from "../../harness/worker.ts";

export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Returns the processes of a worker's Chrome that draw pages. */
export async function renderers({ started }: Worker): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter(Boolean);
  const found: number[] = [];
  for (const pid of pids) {
    // A process that ended meanwhile draws nothing.
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes("--type=renderer") && descendsFrom(pid, started.browserPid)) found.push(pid);
  }
  return found;
}

/** Returns the processes that came with the opened page: its own, and perhaps that of the empty page before it. */
export async function renderersOf(worker: Worker, open: () => Promise<unknown>): Promise<number[]> {
  const before = await renderers(worker);
  await open();
  const own = (await renderers(worker)).filter((pid) => !before.includes(pid));
  assert.notEqual(own.length, 0);
  return own;
}

/** Stops the processes, and kills them on disposal. */
export function stopped(pids: readonly number[]): Disposable {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return {
    [Symbol.dispose]() {
      for (const pid of pids) killIfThere(pid);
    },
  };
}

function descendsFrom(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === ancestor) return true;
    // A process that ended meanwhile is no descendant.
    at = statOf(at)?.parent ?? 0;
  }
  return false;
}
