// Finds processes of this machine by their command lines, and kills them.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { ofLiving } from "./proc-files.ts";

interface Process {
  pid: number;
  line: string;
}

/** Kills each process with one of `marks` on its command line, and the group that it leads. Returns their ids. */
export async function killByCommandLine(marks: readonly string[]): Promise<number[]> {
  const killed: number[] = [];
  for await (const { pid, line } of commandLines()) {
    if (pid === process.pid || !marks.some((mark) => line.includes(mark))) continue;
    // The kill follows at once, because the id may later belong to another process.
    killGroup(pid);
    killed.push(pid);
  }
  return killed;
}

/** Kills a process and the group that it leads. A process that is gone already is fine. */
function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, "SIGKILL");
    } catch (error) {
      // EPERM means that another user's process has the id now.
      if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

async function* commandLines(): AsyncGenerator<Process> {
  if (process.platform === "linux") {
    for (const name of await readdir("/proc")) {
      if (/^\d+$/.test(name)) yield { pid: Number(name), line: await commandLineOf(name) };
    }
    return;
  }
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,command="], { maxBuffer: 2 ** 24 });
  for (const row of stdout.split("\n")) {
    const [, pid = "0", line = ""] = /^\s*(\d+)\s+(.*)$/.exec(row) ?? [];
    yield { pid: Number(pid), line };
  }
}

async function commandLineOf(pid: string): Promise<string> {
  return (await ofLiving(readFile(`/proc/${pid}/cmdline`, "utf8"), "")).replaceAll("\0", " ");
}
