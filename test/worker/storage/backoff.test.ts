import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffAfterBytesMs } from "../../../worker/storage/backoff.ts";

test("reports stay within a rate, and no pause is longer than its bound", () => {
  assert.equal(backoffAfterBytesMs(0), 0);
  assert.equal(backoffAfterBytesMs(128), 1);
  assert.equal(backoffAfterBytesMs(128_000), 1_000);
  assert.equal(backoffAfterBytesMs(100_000_000), 10_000);
});
