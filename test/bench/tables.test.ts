import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownTable } from "./tables.ts";

test("columns are as wide as their widest cell, and short rows are filled up", () => {
  const table = markdownTable([["a", "list"], ["longer", "1"], ["x"]]);
  assert.equal(
    table,
    ["| a      | list |", "| ------ | ---- |", "| longer | 1    |", "| x      |      |"].join("\n"),
  );
});

test("a cell cannot break out of its table", () => {
  const table = markdownTable([["a"], ["x | y\nz"]]);
  assert.deepEqual(table.split("\n").length, 3);
  assert.match(table, /x \\\| y z/);
});
