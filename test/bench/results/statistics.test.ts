import assert from "node:assert/strict";
import { test } from "node:test";
import { median, timesAhead } from "./statistics.ts";

test("the median is the middle value in any order, and the mean of two for an even number", () => {
  assert.equal(median([9, 1, 100]), 9);
  assert.equal(median([4, 1, 100, 2]), 3);
  assert.equal(median([10, 9, 100]), 10, "sorted as numbers, not as text");
  assert.equal(median([]), undefined);
});

test("the given values stay in their order", () => {
  const values = [3, 1, 2];
  median(values);
  assert.deepEqual(values, [3, 1, 2]);
});

test("a ratio is the other's time divided by one's own, and undefined if one is missing", () => {
  assert.equal(timesAhead(2, 30), 15);
  assert.equal(timesAhead(30, 15), 0.5);
  assert.equal(timesAhead(0, 30), undefined);
  assert.equal(timesAhead(undefined, 30), undefined);
  assert.equal(timesAhead(2, undefined), undefined);
});
