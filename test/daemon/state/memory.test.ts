// The memory of workers: the system is asked only if a value can have changed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryMeter } from "../../../daemon/state/memory.ts";

/** The worker 1, and the processes below it: resident pages, and bytes of their share. */
function machine(processes: Record<number, { pages: number; bytes: number }>) {
  const asked: number[] = [];
  const measure = memoryMeter({
    below: async () =>
      Object.keys(processes)
        .map(Number)
        .filter((pid) => pid !== 1),
    residentPages: async (pid) => processes[pid]?.pages,
    shareBytes: async (pid) => {
      asked.push(pid);
      return processes[pid]?.bytes ?? 0;
    },
  });
  return { processes, asked, measure: () => measure(1) };
}

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

test("an ended process counts as zero, and the real meter gives a plausible size", async () => {
  const { processes, measure } = machine({ 1: { pages: 1000, bytes: 10 }, 2: { pages: 2000, bytes: 20 } });
  processes[2] = { pages: undefined as never, bytes: 20 };
  assert.deepEqual(await measure(), { worker: 10, browser: 0 });
  const own = await memoryMeter()(process.pid);
  assert.ok(own.worker > 10_000_000 && own.worker <= process.memoryUsage().rss * 2, String(own.worker));
});
