// Reads from /proc a process's state, its parent, its memory and its descriptors.
import { readdirSync, readFileSync } from "node:fs";
import { processStat } from "../../proto/machine/proc-stat.ts";
import { until } from "./within.ts";

/** A process at one moment. A later process of the same id has other `startedTicks`. */
export interface ProcessStat {
  pid: number;
  /** R, S, D, T, Z… as in proc(5). */
  state: string;
  parent: number;
  /** Of its threads, in user and kernel mode. */
  cpuTicks: number;
  startedTicks: number;
}

/** USER_HZ, which is 100 wherever Linux runs. */
const TICKS_PER_SECOND = 100;
const GONE = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);

export function statOf(pid: number): ProcessStat | undefined {
  const fields = unlessGone(() => processStat(pid));
  if (!fields) return undefined;
  return {
    pid,
    state: fields[0] ?? "",
    parent: Number(fields[1]),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
    startedTicks: Number(fields[19]),
  };
}

/** Returns all processes. */
export function allStats(): ProcessStat[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
}

/** Returns the processes with these ids and all their descendants. */
export function descendants<P extends Pick<ProcessStat, "pid" | "parent">>(
  roots: Iterable<number>,
  all: readonly P[],
): P[] {
  const ours = new Set(roots);
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all.filter(({ pid }) => ours.has(pid));
}

/** Returns true if a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  const { state = "Z" } = statOf(pid) ?? {};
  return state !== "Z";
}

/** Resolves when none of the processes runs. No event reports the end of a foreign process. */
export async function allGone(pids: readonly number[]): Promise<void> {
  await until(() => !pids.some(isAlive), `the processes ${pids.join(", ")} have ended`);
}

/** Returns the CPU time of a process in seconds. */
export function cpuSeconds(pid: number): number {
  return (statOf(pid)?.cpuTicks ?? 0) / TICKS_PER_SECOND;
}

/** Returns a process's share of the memory. Memory that it shares counts in part. */
export function pssMiB(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`) ?? "";
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** Returns the number of open file descriptors. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Returns undefined if the process has ended meanwhile. */
export function read(file: string): string | undefined {
  return unlessGone(() => readFileSync(file, "utf8"));
}

function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
