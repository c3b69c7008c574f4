// Measures the memory of a worker and its browser. On Linux, each process counts its share of shared pages.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { keepNewest } from "../../proto/machine/newest.ts";

/** The bytes of a worker, and of all processes below it. */
export interface MemoryUse {
  worker: number;
  browser: number;
}

/** The most processes below one worker. More of them mean another fault. */
const PROCESSES_MAX = 2_000;
const PS_MS_MAX = 5_000;

export interface ProcessFacts {
  below(pid: number): Promise<number[]>;
  /** Returns the number of resident pages, which is cheap. Returns undefined if the process has ended. */
  residentPages(pid: number): Promise<number | undefined>;
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
    const pids = [workerPid, ...(await facts.below(workerPid))];
    const before = known.get(workerPid);
    const isSame = before?.size === pids.length && pids.every((pid) => before.has(pid));
    const held = await Promise.all(
      pids.map((pid) => holds(facts, pid, isSame ? before.get(pid) : undefined)),
    );
    keepNewest(known, workerPid, new Map(pids.map((pid, at) => [pid, held[at] as Held])), WORKERS_MAX);
    const [worker = 0, ...others] = held.map(({ bytes }) => bytes);
    return { worker, browser: sum(others) };
  };
}

async function holds(facts: ProcessFacts, pid: number, before: Held | undefined): Promise<Held> {
  const pages = await facts.residentPages(pid);
  if (pages === undefined) return { pages: 0, bytes: 0 };
  if (before && Math.abs(pages - before.pages) < MOVED_PAGES) return before;
  return { pages, bytes: await facts.shareBytes(pid) };
}

const proc: ProcessFacts = {
  async below(workerPid) {
    const below: number[] = [];
    for (let next = await childrenOf(workerPid); next.length > 0; ) {
      below.push(...next);
      if (below.length > PROCESSES_MAX) break;
      next = (await Promise.all(next.map(childrenOf))).flat();
    }
    return below;
  },
  async residentPages(pid) {
    const statm = await ofLiving(readFile(`/proc/${pid}/statm`, "utf8"), "");
    return statm === "" ? undefined : Number(statm.split(" ")[1]);
  },
  shareBytes: bytesOf,
};

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await ofLiving(readdir(`/proc/${pid}/task`), []);
  const lists = threads.map((thread) =>
    ofLiving(readFile(`/proc/${pid}/task/${thread}/children`, "utf8"), ""),
  );
  return (await Promise.all(lists)).join(" ").split(" ").map(Number).filter(Boolean);
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
  const bytesIn = (pids: ReadonlySet<number>) =>
    sum(rows.filter(([pid = 0]) => pids.has(pid)).map(([, , kilobytes = 0]) => kilobytes * 1024));
  const family = new Set([workerPid]);
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const [pid = 0, parent = 0] of rows) if (family.has(parent)) family.add(pid);
  }
  const worker = bytesIn(new Set([workerPid]));
  return { worker, browser: bytesIn(family) - worker };
}

const GONE_OR_FOREIGN = ["ENOENT", "ESRCH", "EACCES", "EPERM"];

async function ofLiving<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (GONE_OR_FOREIGN.includes((error as NodeJS.ErrnoException).code ?? "")) return otherwise;
    throw error;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
