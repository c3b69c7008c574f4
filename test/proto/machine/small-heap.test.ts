// The heap of a process that makes garbage as a worker does. Some of it lives as long as a call, none for good.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { SMALL_HEAP } from "../../../proto/machine/small-heap.ts";

/** Holds 14 MiB for good and another 6 MiB that come and go. Prints its largest heap in MiB. */
const AT_WORK = `
  const { getHeapStatistics } = require("node:v8");
  const kept = Array.from({ length: 150_000 }, (_, number) => ({ number, text: "kept " + number }));
  const passing = new Array(40_000);
  let most = 0;
  for (let number = 0; number < 2_000_000; number++) {
    passing[number % passing.length] = { number, text: "passing " + number, of: [number] };
    if (number % 10_000 === 0) most = Math.max(most, getHeapStatistics().total_heap_size);
  }
  process.stdout.write(String(most / 2 ** 20 + 0 * kept.length));
`;
/** This is half as much again as it takes. Without the arguments it is 190. */
const HEAP_MIB_MAX = 130;

test("garbage of calls never grows to several times what a process holds", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...SMALL_HEAP, "--eval", AT_WORK]);
  assert.ok(Number(stdout) > 0 && Number(stdout) < HEAP_MIB_MAX, `its heap grew to ${stdout} MiB`);
});
