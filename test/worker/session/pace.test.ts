import assert from "node:assert/strict";
import { test } from "node:test";
import { restAfterBytes } from "../../../worker/session/pace.ts";

test("what is told in sum stays within a rate, and no rest is longer than its bound", () => {
  assert.equal(restAfterBytes(0), 0);
  assert.equal(restAfterBytes(128), 1);
  assert.equal(restAfterBytes(128_000), 1_000);
  assert.equal(restAfterBytes(100_000_000), 10_000);
});
