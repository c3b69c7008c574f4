import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOf, msOf } from "./read-table.ts";

const results = `### Looks

|       | 10 rows      | 125 rows |
| ----- | ------------ | -------- |
| One 1 | 1,484 ms, 4 k | –       |

### Starts

| | 10 rows |
| --- | --- |
| One 1 | 2.5 ms |
`;

test("a cell is found by its table, its column and its row", () => {
  assert.equal(cellOf(results, "Looks", "10 rows", /^One /), "1,484 ms, 4 k");
  assert.equal(cellOf(results, "Starts", "10 rows", /^One /), "2.5 ms");
});

test("a missing table, column or row is an error that names it", () => {
  assert.throws(() => cellOf(results, "Actions", "10 rows", /^One /), /no 10 rows .* under "Actions"/);
  assert.throws(() => cellOf(results, "Starts", "125 rows", /^One /), /no 125 rows/);
  assert.throws(() => cellOf(results, "Looks", "10 rows", /^Two /), /for \/\^Two \//);
});

test("a cell's time is read without its separators, and a dash has none", () => {
  assert.equal(msOf("1,484 ms, 4 k"), 1484);
  assert.equal(msOf("2.5 ms"), 2.5);
  assert.equal(msOf("–"), undefined);
});
