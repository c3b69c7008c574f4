// What a worker and its browser hold of the machine's memory: shared pages counted in shares where Linux tells them.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Bytes of a worker and of all the processes below it. */
export interface MemoryUse {
  worker: number;
  browser: number;
}

/** Processes below one worker; beyond that something else is wrong. */
const PROCESSES_MAX = 2_000;
const PS_MS_MAX = 5_000;

/** What a system tells of processes. */
export interface ProcessFacts {
  /** All processes below one. */
  below(pid: number): Promise<number[]>;
  /** How many pages of its are in memory: cheap to ask. Undefined where it has ended. */
  residentPages(pid: number): Promise<number | undefined>;
  /** Its share of the memory. Linux walks all its pages for that, milliseconds for each process. */
  shareBytes(pid: number): Promise<number>;
}

/** What a process held when it was last asked for its share. */
interface Held {
  pages: number;
  bytes: number;
}

/** A process has moved when so many pages more or less are in memory: 256 KiB. */
const MOVED_PAGES = 64;
/** Workers that are remembered; those that have ended are not told of. */
const WORKERS_MAX = 100;

/**
 * Measures workers and what they have started, each again and again. What ends meanwhile holds nothing. Processes at
 * rest are not asked for their share again, as long as none comes or goes that they share with.
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
    if (known.size >= WORKERS_MAX) known.clear();
    known.set(workerPid, new Map(pids.map((pid, at) => [pid, held[at] as Held])));
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

/** The proportional set size; the resident one where the process is not ours to look into. */
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
