// Finds the processes that faults kill.
import { descendants } from "../../harness/proc.ts";
import type { Process, Troupe } from "../../harness/troupe.ts";

/** Returns the worker of a role. */
export function workerOf(troupe: Troupe, role: string): Process {
  const found = workersOf(troupe, role)[0];
  if (!found) throw new Error(`no worker of ${role} runs`);
  return found;
}

/** Kills the worker of a role. Resolves when the daemon has noticed and starts another one. */
export async function killWorker({ troupe }: { troupe: Troupe }, role: string): Promise<void> {
  const starts = troupe.output.next(`"role":"${role}","state":"STARTING"`);
  kill(workerOf(troupe, role).pid);
  await starts;
}

/** Returns no process while a worker is replaced. */
export function workersOf(troupe: Troupe, role: string): Process[] {
  return troupe
    .processes()
    .filter(({ command }) => command.includes("worker/main.ts") && command.includes(`--role ${role} `));
}

/** Returns the browser of a role. */
export function browserOf(troupe: Troupe, role: string): number {
  const { pid } = workerOf(troupe, role);
  const browser = troupe.processes().find(({ parent }) => parent === pid);
  if (!browser) throw new Error(`no browser of ${role} runs`);
  return browser.pid;
}

/** Returns the processes that draw a role's pages. */
export function renderersOf(troupe: Troupe, role: string): number[] {
  return descendants([workerOf(troupe, role).pid], troupe.processes())
    .filter(({ command }) => command.includes("--type=renderer"))
    .map(({ pid }) => pid);
}

/** Kills a process without a warning. */
export function kill(pid: number): void {
  process.kill(pid, "SIGKILL");
}
