// Keeps the heap of daemon and workers near its content, once they have started.
import { flushCompileCache } from "node:module";
import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The time between two looks at what the process does. */
const LOOK_MS = 2_000;
/** The code of the first calls is mostly compiled by then, also in a process that was never idle. */
const STARTED_MS = 60_000;
/** A process that works less than this share of its time has no calls, or calls that wait for a page or a person. */
const IDLE_SHARE = 0.01;
/** A smaller heap has not enough garbage for a collection, which takes some 50 ms. */
const GROWN_MIN = 1.2;
/** A collection takes longer the more it leaves. With more than this, it would stop the process for too long. */
const LEFT_BYTES_MAX = 200 * 1024 * 1024;

/** The work of a process since the last look, and its heap now. */
export interface HeapLook {
  /** The share of the time in which its event loop worked. */
  utilization: number;
  usedBytes: number;
  /** The bytes that the last collection left; 0 before the first one. */
  leftBytes: number;
}

/** Returns true if a collection holds up hardly any call, and frees enough. */
export function isCollectionDue({ utilization, usedBytes, leftBytes }: HeapLook): boolean {
  if (utilization >= IDLE_SHARE || (leftBytes || usedBytes) > LEFT_BYTES_MAX) return false;
  return usedBytes > GROWN_MIN * leftBytes;
}

/**
 * Collects the garbage of this process whenever it has nothing to do, and lets the heap grow less between. V8 alone
 * leaves an idle process with the garbage of its last calls, some 10 MiB.
 */
export function keepHeapSmall(): void {
  const startedMs = performance.now();
  let before = performance.eventLoopUtilization();
  let leftBytes = 0;
  let collect: (() => void) | undefined;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const isDue = isCollectionDue({ utilization, usedBytes: usedBytes(), leftBytes });
    if (isDue || performance.now() - startedMs > STARTED_MS) collect ??= growByHalf();
    if (!isDue) return;
    collect?.();
    leftBytes = usedBytes();
  };
  setInterval(look, LOOK_MS).unref();
}

/**
 * Lets the heap grow by half between two collections, not fourfold. Returns the full collection. V8 takes no compiled
 * code that was kept under other flags, Node's own included. As arguments, these would make each start 25 ms longer.
 */
export function growByHalf(): () => void {
  // Code that is kept under the new flags would not be taken at the next start.
  flushCompileCache();
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--expose-gc");
  // A full collection would drop the compiled code of all functions that have not run lately.
  setFlagsFromString("--no-flush-bytecode");
  const gc = runInNewContext("gc") as NodeJS.GCFunction;
  // Other kinds of collections keep the freed pages.
  return () => gc({ type: "major", execution: "sync", flavor: "last-resort" });
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}
