import assert from "node:assert/strict";
import { test } from "node:test";
import { isChosen, isWhole, type Options, readOptions } from "./options.ts";
import { contenderIds } from "./results/results.ts";

const read = (...args: string[]) => readOptions(args) as Options;

test("without arguments everything is measured, and that is a whole run", () => {
  const options = read();
  assert.deepEqual(options.only, contenderIds);
  assert.ok(isWhole(options));
  assert.ok(isChosen(options, "rows-125"));
});

test("a part, a quick run and a run without a peer are not whole", () => {
  assert.equal(isWhole(read("--quick")), false);
  assert.equal(isWhole(read("--page", "rows-125")), false);
  assert.equal(isWhole(read("--only", "troupe")), false);
});

test("names are given after a space or an equals sign, and more than once", () => {
  const options = read("--only", "troupe", "--only=playwright", "--page=rows", "--page", "swagger");
  assert.deepEqual(options.only, ["troupe", "playwright"]);
  assert.ok(isChosen(options, "rows-10"));
  assert.ok(isChosen(options, "swagger-ui"));
  assert.ok(!isChosen(read("--page", "rows-125"), "rows-1250"));
  assert.ok(!isChosen(options, "actions"));
});

test("an unknown argument is reported", () => {
  assert.match((readOptions(["--fast"]) as { problem: string }).problem, /--fast/);
  assert.match((readOptions(["--only", "selenium"]) as { problem: string }).problem, /selenium.*playwright/);
  assert.match((readOptions(["--only"]) as { problem: string }).problem, /--only needs a value/);
});
