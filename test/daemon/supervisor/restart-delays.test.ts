import assert from "node:assert/strict";
import { test } from "node:test";
import {
  crashesInARow,
  probeDelayMs,
  type RestartPolicy,
  restartDelayMs,
} from "../../../daemon/supervisor/restart-delays.ts";

const policy: RestartPolicy = { max: 5, within: 60_000, backoff: 250, cap: 1500 };
const crashes = (count: number, gapMs = 10) =>
  Array.from({ length: count }, (_, index) => 1_000_000 + index * gapMs);

test("a single crash is followed by a restart at once", () => {
  assert.equal(restartDelayMs(crashes(1), policy, 1), 0);
});

test("each further wait is twice as long, up to the cap", () => {
  assert.deepEqual(
    [2, 3, 4, 5].map((count) => restartDelayMs(crashes(count), policy, 1)),
    [250, 500, 1000, 1500],
  );
});

test("jitter spreads a wait over its upper half", () => {
  assert.equal(restartDelayMs(crashes(3), policy, 0), 250);
  assert.equal(restartDelayMs(crashes(3), policy, 0.5), 375);
});

test("a worker that crashes more often than allowed is given up", () => {
  assert.equal(restartDelayMs(crashes(6), policy, 1), "give-up");
});

test("crashes before the period use up no restarts, but those of a row prolong the wait", () => {
  assert.equal(restartDelayMs(crashes(6, 20_000), policy, 1), 1500);
});

test("a row of crashes ends with a worker that worked for ten minutes, or as long as the policy looks", () => {
  const minute = 60_000;
  const row = (workedMs: number, within = policy.within) =>
    crashesInARow([5, 6], { nowMs: 7, workedMs }, { ...policy, within });
  assert.deepEqual(row(10 * minute - 1), [5, 6, 7]);
  assert.deepEqual(row(10 * minute), [7]);
  assert.deepEqual(row(10 * minute, 15 * minute), [5, 6, 7]);
  assert.deepEqual(row(15 * minute, 15 * minute), [7]);
});

test("an endless row keeps only as many crashes as matter", () => {
  const long = crashes(5000, 60_000);
  const row = crashesInARow(long, { nowMs: 1e12, workedMs: 0 }, { ...policy, cap: 86_400_000 });
  assert.deepEqual([row.length, row.at(-1)], [32, 1e12]);
  assert.equal(restartDelayMs(row, { ...policy, cap: 86_400_000 }, 1), 86_400_000);
  assert.equal(crashesInARow(long, { nowMs: 1e12, workedMs: 0 }, { ...policy, max: 1000 }).length, 1001);
});

test("without allowed restarts the first crash is the last", () => {
  assert.equal(restartDelayMs(crashes(1), { ...policy, max: 0 }, 1), "give-up");
});

test("tries of a given-up role come every half minute, less jitter, to every ten minutes", () => {
  assert.deepEqual(
    [0, 1, 4, 5, 1000].map((probes) => probeDelayMs(probes, policy, 1)),
    [30_000, 60_000, 480_000, 600_000, 600_000],
  );
  assert.equal(probeDelayMs(0, policy, 0), 15_000);
  assert.equal(probeDelayMs(0, { ...policy, cap: 60_000 }, 1), 60_000);
});
