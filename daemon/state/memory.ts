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

/** Measures a worker and what it has started. What ends meanwhile holds nothing. */
export async function memoryOf(workerPid: number): Promise<MemoryUse> {
  return process.platform === "linux" ? await measureByProc(workerPid) : await measureByPs(workerPid);
}

async function measureByProc(workerPid: number): Promise<MemoryUse> {
  const below: number[] = [];
  for (let next = await childrenOf(workerPid); next.length > 0; ) {
    below.push(...next);
    if (below.length > PROCESSES_MAX) break;
    next = (await Promise.all(next.map(childrenOf))).flat();
  }
  const [worker = 0, ...others] = await Promise.all([workerPid, ...below].map(bytesOf));
  return { worker, browser: sum(others) };
}

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
