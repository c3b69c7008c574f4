import assert from "node:assert/strict";
import { test } from "node:test";
import { isReached, tableOf } from "./figures.ts";

test("a figure at its bar reaches it", () => {
  assert.ok(isReached({ name: "errors", value: 0, bar: { most: 0 } }));
  assert.ok(!isReached({ name: "errors", value: 1, bar: { most: 0 } }));
  assert.ok(isReached({ name: "restored", value: 4, bar: { least: 4 } }));
  assert.ok(!isReached({ name: "restored", value: 3, bar: { least: 4 } }));
  assert.ok(isReached({ name: "told", value: 9 }));
});

test("a figure that could not be measured does not reach its bar", () => {
  assert.ok(!isReached({ name: "serves again", value: Number.NaN, bar: { most: 2000 } }));
  assert.ok(!isReached({ name: "restored", value: Number.NaN, bar: { least: 4 } }));
});

test("a table has each figure with its bar and its result", () => {
  const table = tableOf([
    { name: "serves again after", value: 1234.5678, unit: "ms", bar: { most: 2000 } },
    { name: "errors", value: 2, bar: { most: 0 }, note: "BUSY" },
    { name: "calls", value: 120 },
    { name: "never", value: Number.NaN, bar: { most: 1 } },
  ]);
  assert.deepEqual(table.split("\n"), [
    "  serves again after  1234.57 ms  at most 2000  reached",
    "  errors                       2  at most 0     NOT REACHED (BUSY)",
    "  calls                      120",
    "  never                     none  at most 1     NOT REACHED",
  ]);
});
