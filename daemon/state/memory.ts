// Measures the memory of a worker and its browser. On Linux, each process counts its share of shared pages.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { keepNewest } from "../../proto/machine/newest.ts";
import { statFields } from "../../proto/machine/proc-stat.ts";
import { isGoneOrForeign, ofLiving } from "./proc-files.ts";

/** The bytes of a worker, and of all processes below it. */
export interface MemoryUse {
  worker: number;
  browser: number;
}

/** The most processes below one worker. More of them mean another fault. */
const PROCESSES_MAX = 2_000;
const PS_MS_MAX = 5_000;
/** So many files are read in one turn, which takes a millisecond. The machine may have thousands of processes. */
const READ_AT_ONCE = 64;

/** A process of this machine. */
export interface Process {
  pid: number;
  parent: number;
  /** The number of resident pages, which is cheap to know. */
  pages: number;
}

export interface ProcessFacts {
  /** Returns all processes of this machine. */
  all(): Promise<Process[]>;
  /** Returns the process's share of the memory. Linux walks all its pages for that: milliseconds for each process. */
  shareBytes(pid: number): Promise<number>;
}

/** The values of a process at its last full measurement. */
interface Held {
  pages: number;
  bytes: number;
}

/** The change in resident pages that calls for a new full measurement: 256 KiB. */
const MOVED_PAGES = 64;
/** The number of workers that are remembered. The meter does not learn of their ends. */
const WORKERS_MAX = 100;

/**
 * Makes a meter that measures a worker and its descendants repeatedly. A process that ends meanwhile counts as zero. An
 * unchanged process keeps its last share, as long as the set of processes stays the same.
 */
export function memoryMeter(facts: ProcessFacts = proc): (workerPid: number) => Promise<MemoryUse> {
  const known = new Map<number, ReadonlyMap<number, Held>>();
  return async (workerPid) => {
    if (process.platform !== "linux" && facts === proc) return await measureByPs(workerPid);
    const family = familyOf(workerPid, await facts.all());
    const before = known.get(workerPid);
    const isSame = before?.size === family.length && family.every(({ pid }) => before.has(pid));
    const share = async (each: Process): Promise<[number, Held]> => [
      each.pid,
      await holds(facts, each, isSame ? before.get(each.pid) : undefined),
    ];
    const now = new Map(await Promise.all(family.map(share)));
    keepNewest(known, workerPid, now, WORKERS_MAX);
    return useOf(workerPid, now);
  };
}

/** Returns the worker and all processes below it. It is empty if the worker has ended. */
function familyOf<P extends { pid: number; parent: number }>(workerPid: number, all: readonly P[]): P[] {
  const children = Map.groupBy(all, ({ parent }) => parent);
  const family = all.filter(({ pid }) => pid === workerPid);
  // The family grows while it is read.
  for (const { pid } of family) {
    family.push(...(children.get(pid) ?? []));
    if (family.length > PROCESSES_MAX) break;
  }
  return family;
}

function useOf(workerPid: number, family: ReadonlyMap<number, { bytes: number }>): MemoryUse {
  const use = { worker: 0, browser: 0 };
  for (const [pid, { bytes }] of family) use[pid === workerPid ? "worker" : "browser"] += bytes;
  return use;
}

async function holds(facts: ProcessFacts, { pid, pages }: Process, before: Held | undefined): Promise<Held> {
  if (before && Math.abs(pages - before.pages) < MOVED_PAGES) return before;
  return { pages, bytes: await facts.shareBytes(pid) };
}

const proc: ProcessFacts = {
  // One file for each process. The files that list a process's children are one for each of its threads.
  async all() {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
    const all: Process[] = [];
    for (let from = 0; from < pids.length; from += READ_AT_ONCE) {
      const some = pids.slice(from, from + READ_AT_ONCE).map(processOf);
      all.push(...some.filter((each) => each !== undefined));
      await setImmediate();
    }
    return all;
  },
  shareBytes: bytesOf,
};

/** Linux has this file in memory. To read it in another thread takes twice as long. */
function processOf(pid: number): Process | undefined {
  try {
    const fields = statFields(readFileSync(`/proc/${pid}/stat`, "latin1"));
    return { pid, parent: Number(fields[1]), pages: Number(fields[21]) };
  } catch (error) {
    if (isGoneOrForeign(error)) return undefined;
    throw error;
  }
}

/** Returns the proportional set size, or the resident size of a process that this user may not inspect. */
async function bytesOf(pid: number): Promise<number> {
  const rollup = await ofLiving(readFile(`/proc/${pid}/smaps_rollup`, "utf8"), "");
  const pss = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1];
  if (pss !== undefined) return Number(pss) * 1024;
  const status = await ofLiving(readFile(`/proc/${pid}/status`, "utf8"), "");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

async function measureByPs(workerPid: number): Promise<MemoryUse> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,rss="], {
    timeout: PS_MS_MAX,
    maxBuffer: 2 ** 24,
  });
  const rows = stdout.split("\n").map((row) => row.trim().split(/\s+/).map(Number));
  const all = rows.map(([pid = 0, parent = 0, kilobytes = 0]) => ({ pid, parent, bytes: kilobytes * 1024 }));
  return useOf(workerPid, new Map(familyOf(workerPid, all).map((each) => [each.pid, each])));
}
