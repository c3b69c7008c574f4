// Counts by key rise and fall for each key alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyedCount } from "../../../daemon/core/keyed-count.ts";

test("each key has a count of its own, and a key without any is forgotten", () => {
  const counts = new KeyedCount();
  assert.equal(counts.of("a"), 0);
  const first = counts.add("a");
  const second = counts.add("a");
  using _other = counts.add("b");
  assert.deepEqual(Object.fromEntries(counts), { a: 2, b: 1 });
  first[Symbol.dispose]();
  assert.equal(counts.of("a"), 1);
  second[Symbol.dispose]();
  assert.deepEqual([...counts], [["b", 1]]);
});

test("what is disposed of twice is subtracted once", () => {
  const counts = new KeyedCount();
  const first = counts.add("a");
  using _second = counts.add("a");
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(counts.of("a"), 1);
});
