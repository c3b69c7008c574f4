// The heap of a process that makes garbage as a worker does. Some of it lives as long as a call, none for good.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { SMALL_HEAP } from "../../../proto/machine/small-heap.ts";

/** Holds 14 MiB for good and another 6 MiB that come and go. Prints its largest heap in MiB. */
const AT_WORK = `
  import { getHeapStatistics } from "node:v8";
  import { growByHalf } from ${JSON.stringify(import.meta.resolve("../../../proto/machine/heap-upkeep.ts"))};
  growByHalf();
  const kept = Array.from({ length: 150_000 }, (_, number) => ({ number, text: "kept " + number }));
  const passing = new Array(40_000);
  let most = 0;
  for (let number = 0; number < 2_000_000; number++) {
    passing[number % passing.length] = { number, text: "passing " + number, of: [number] };
    if (number % 10_000 === 0) most = Math.max(most, getHeapStatistics().total_heap_size);
  }
  process.stdout.write(String(most / 2 ** 20 + 0 * kept.length));
`;
/** It takes 65. With the arguments alone it is 100, and without both 190. */
const HEAP_MIB_MAX = 90;
/** Collections may come late on a busy machine, so the middle one of these counts. */
const RUNS = 3;

test("garbage of calls never grows to several times what a process holds", async () => {
  const heaps: number[] = [];
  for (let run = 0; run < RUNS; run++)
    heaps.push(Number(await printed([...SMALL_HEAP, "--input-type=module", "--eval", AT_WORK])));
  const [, heap = 0] = heaps.toSorted((one, other) => one - other);
  assert.ok(heap > 0 && heap < HEAP_MIB_MAX, `its heap grew to ${heap} MiB`);
});

test("the arguments let V8 take the compiled code that Node brings and keeps", async () => {
  const tag = ["--print", 'require("node:v8").cachedDataVersionTag()'];
  assert.equal(await printed([...SMALL_HEAP, ...tag]), await printed(tag));
});

async function printed(args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}
