// Processes of this machine told by what stands on their command lines, and the ending of them.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Kills whatever process names one of `marks` on its command line, each with the group that it leads. */
export function killByCommandLine(marks: readonly string[]): number[] {
  const found = commandLines().filter(
    ({ pid, line }) => pid !== process.pid && marks.some((mark) => line.includes(mark)),
  );
  for (const { pid } of found) killGroup(pid);
  return found.map(({ pid }) => pid);
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

function commandLines(): { pid: number; line: string }[] {
  if (process.platform === "linux") {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), line: commandLineOf(name) }));
  }
  const listed = execFileSync("ps", ["-axo", "pid=,command="], { encoding: "utf8", maxBuffer: 2 ** 24 });
  return listed.split("\n").map((row) => {
    const [, pid = "0", line = ""] = /^\s*(\d+)\s+(.*)$/.exec(row) ?? [];
    return { pid: Number(pid), line };
  });
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch (error) {
    // It ended while we looked, or belongs to somebody else.
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return "";
    throw error;
  }
}
