// The heap of a process that has nothing to do.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { isCollectionDue } from "../../../proto/machine/heap-upkeep.ts";

/** Makes 50 MiB that live long enough to grow old, drops them, and ends once they are collected. */
const AT_REST = `
  import { getHeapStatistics } from "node:v8";
  import { keepHeapSmall } from ${JSON.stringify(import.meta.resolve("../../../proto/machine/heap-upkeep.ts"))};
  const used = () => getHeapStatistics().used_heap_size / 2 ** 20;
  globalThis.held = Array.from({ length: 500_000 }, (_, number) => ({ number, text: "held " + number }));
  const most = used();
  delete globalThis.held;
  keepHeapSmall();
  const timer = setInterval(() => {
    if (used() > most / 2) return;
    clearInterval(timer);
    process.stdout.write("collected");
  }, 200);
`;

test("a process without work collects what its last calls left", async () => {
  const args = ["--input-type=module", "--eval", AT_REST];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  assert.equal(stdout, "collected");
});

test("nothing is collected beside work, for little garbage, nor in a heap that takes long", () => {
  const idle = { utilization: 0.002, usedBytes: 30e6, leftBytes: 20e6 };
  assert.equal(isCollectionDue(idle), true);
  assert.equal(isCollectionDue({ ...idle, leftBytes: 0 }), true);
  assert.equal(isCollectionDue({ ...idle, utilization: 0.02 }), false);
  assert.equal(isCollectionDue({ ...idle, leftBytes: 26e6 }), false);
  assert.equal(isCollectionDue({ ...idle, usedBytes: 300e6 }), true);
  assert.equal(isCollectionDue({ ...idle, usedBytes: 300e6, leftBytes: 0 }), false);
  assert.equal(isCollectionDue({ ...idle, usedBytes: 300e6, leftBytes: 220e6 }), false);
});
