// The bytes that the evidence of one session may take in a while.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BYTES_A_MINUTE, type Quota, spent, UNUSED } from "../../../daemon/evidence/session-quota.ts";

/** Stores parts of that size, one a second, and returns the bytes that found a place in each minute. */
function minutes(bytes: number, isPicture: boolean, count: number): number[] {
  let quota: Quota = UNUSED;
  return Array.from({ length: count }, (_, minute) => {
    let stored = 0;
    for (let second = 0; second < 60; second++) {
      const after = spent(quota, { bytes, isPicture, atMs: (minute * 60 + second) * 1000 });
      if (!after) continue;
      quota = after;
      stored += bytes;
    }
    return stored;
  });
}

test("steady work that is below the bound finds a place for all, and work beyond it for the bound", () => {
  assert.deepEqual(minutes(10_000, true, 3), [600_000, 600_000, 600_000]);
  const [first = 0, second = 0, third = 0] = minutes(50_000, true, 3);
  assert.ok(first <= 1.5 * BYTES_A_MINUTE, `${first}`);
  for (const each of [second, third]) assert.ok(Math.abs(each - BYTES_A_MINUTE) <= 50_000, `${each}`);
});

test("texts still find a place when pictures do not", () => {
  let quota: Quota = UNUSED;
  for (let after: Quota | undefined = quota; after; ) {
    quota = after;
    after = spent(quota, { bytes: 40_000, isPicture: true, atMs: 0 });
  }
  assert.ok(spent(quota, { bytes: 40_000, isPicture: false, atMs: 0 }));
});

test("a clock that goes back gives nothing and takes nothing", () => {
  const quota = spent(UNUSED, { bytes: 100_000, isPicture: false, atMs: 5_000 }) as Quota;
  assert.equal(spent(quota, { bytes: 0, isPicture: false, atMs: 1_000 })?.bytes, quota.bytes);
});
