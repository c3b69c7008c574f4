// Processes of this machine told by what stands on their command lines, and the ending of them.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

interface Process {
  pid: number;
  line: string;
}

/** Kills whatever process names one of `marks` on its command line, each with the group that it leads. */
export async function killByCommandLine(marks: readonly string[]): Promise<number[]> {
  const killed: number[] = [];
  for await (const { pid, line } of commandLines()) {
    if (pid === process.pid || !marks.some((mark) => line.includes(mark))) continue;
    // At once: later the id may be another process's.
    killGroup(pid);
    killed.push(pid);
  }
  return killed;
}

/** Kills a process and the group that it leads. One that is gone already is fine. */
function killGroup(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, "SIGKILL");
    } catch (error) {
      // EPERM: the id went to somebody else's process since.
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
  try {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
  } catch (error) {
    // It ended while we looked, or belongs to somebody else.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return "";
    throw error;
  }
}
