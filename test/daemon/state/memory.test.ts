// The memory of workers: the system is asked only if a value can have changed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { memoryMeter } from "../../../daemon/state/memory.ts";

interface Fake {
  pages: number;
  bytes: number;
  /** The worker 1, unless it is said. */
  parent?: number;
}

/** The worker 1, and other processes: resident pages, and bytes of their share. */
function machine(processes: Record<number, Fake>) {
  const asked: number[] = [];
  const measure = memoryMeter({
    all: async () =>
      Object.entries(processes).map(([pid, { pages, parent = pid === "1" ? 0 : 1 }]) => ({
        pid: Number(pid),
        parent,
        pages,
      })),
    shareBytes: async (pid) => {
      asked.push(pid);
      return processes[pid]?.bytes ?? 0;
    },
  });
  return { processes, asked, measure: () => measure(1) };
}

test("all processes below the worker count, and no others", async () => {
  const { measure } = machine({
    1: { pages: 1000, bytes: 10 },
    2: { pages: 2000, bytes: 20, parent: 4 },
    3: { pages: 3000, bytes: 30, parent: 0 },
    4: { pages: 4000, bytes: 40 },
    5: { pages: 5000, bytes: 50, parent: 3 },
  });
  assert.deepEqual(await measure(), { worker: 10, browser: 60 });
});

test("processes whose pages have not moved are not asked for their share again", async () => {
  const { processes, asked, measure } = machine({
    1: { pages: 1000, bytes: 10 },
    2: { pages: 2000, bytes: 20 },
    3: { pages: 3000, bytes: 30 },
  });
  assert.deepEqual(await measure(), { worker: 10, browser: 50 });
  assert.deepEqual(asked.splice(0), [1, 2, 3]);
  processes[2] = { pages: 2063, bytes: 21 };
  assert.deepEqual(await measure(), { worker: 10, browser: 50 });
  assert.deepEqual(asked, []);
  processes[2] = { pages: 2064, bytes: 22 };
  assert.deepEqual(await measure(), { worker: 10, browser: 52 });
  assert.deepEqual(asked.splice(0), [2]);
  // Small changes add up, because each is compared with the last full measurement.
  processes[2] = { pages: 2064 - 64, bytes: 19 };
  assert.deepEqual(await measure(), { worker: 10, browser: 49 });
});

test("a process that starts or ends changes the shares of all", async () => {
  const { processes, asked, measure } = machine({
    1: { pages: 1000, bytes: 10 },
    2: { pages: 2000, bytes: 20 },
  });
  await measure();
  asked.length = 0;
  processes[4] = { pages: 100, bytes: 5 };
  assert.deepEqual(await measure(), { worker: 10, browser: 25 });
  assert.deepEqual(asked.splice(0), [1, 2, 4]);
  delete processes[2];
  assert.deepEqual(await measure(), { worker: 10, browser: 5 });
  assert.deepEqual(asked.splice(0), [1, 4]);
});

test("the real meter gives plausible sizes, and none for a worker that has ended", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  await once(child, "spawn");
  const measure = memoryMeter();
  const own = await measure(process.pid);
  assert.ok(own.worker > 10_000_000 && own.worker <= process.memoryUsage().rss * 2, String(own.worker));
  assert.ok(own.browser > 0, String(own.browser));
  child.stdin.end();
  await once(child, "exit");
  assert.deepEqual(await measure(child.pid as number), { worker: 0, browser: 0 });
});
