// The processes of a container, as the machine sees them.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface ContainerProcess {
  pid: number;
  /** Its program and arguments. */
  command: string;
  /** The fields of /proc/PID/status. */
  status: Readonly<Record<string, string>>;
  /** Its user namespace. Undefined if it has ended. */
  userNamespace: string | undefined;
}

/** Returns the processes of the container with that first process, also those in namespaces below its own. */
export function processesOf(first: number): ContainerProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const all = pids.flatMap((pid) => readProcess(Number(pid)) ?? []);
  const below = new Set([first]);
  // A parent has the lower id, unless the ids have begun anew.
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { pid, status } of all) if (below.has(Number(status.PPid))) below.add(pid);
  }
  return all.filter(({ pid }) => below.has(pid));
}

/** Returns undefined if the process is gone. */
function readProcess(pid: number): ContainerProcess | undefined {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, "utf8").split("\n");
    const status = Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return { pid, command, status, userNamespace: namespaceOf(pid) };
  } catch {
    return undefined;
  }
}

function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/user`);
  } catch {
    return undefined;
  }
}
