import assert from "node:assert/strict";
import { test } from "node:test";
import { median, timesAhead } from "./statistics.ts";

test("the median is the middle value whatever the order, and lies between the two middle ones of an even number", () => {
  assert.equal(median([9, 1, 100]), 9);
  assert.equal(median([4, 1, 100, 2]), 3);
  assert.equal(median([10, 9, 100]), 10, "sorted as numbers, not as text");
  assert.equal(median([]), undefined);
});

test("the values given are left in their order", () => {
  const values = [3, 1, 2];
  median(values);
  assert.deepEqual(values, [3, 1, 2]);
});

test("a ratio is the other's time in one's own, and none where one of them is missing", () => {
  assert.equal(timesAhead(2, 30), 15);
  assert.equal(timesAhead(30, 15), 0.5);
  assert.equal(timesAhead(0, 30), undefined);
  assert.equal(timesAhead(undefined, 30), undefined);
  assert.equal(timesAhead(2, undefined), undefined);
});
