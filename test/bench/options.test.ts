import assert from "node:assert/strict";
import { test } from "node:test";
import { isChosen, isWhole, needsEntrants, type Options, parts, readOptions, usage } from "./options.ts";
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

test("--only takes a part too, and its help lists each part", () => {
  const options = read("--only", "density", "--only", "troupe");
  assert.deepEqual(options.only, ["troupe"]);
  assert.deepEqual(options.pages, ["density"]);
  assert.ok(isChosen(options, "density"));
  assert.ok(!isChosen(options, "cold"));
  assert.ok(isChosen(read("--only", "real"), "swagger-ui"));
  assert.ok(isChosen(read("--only", "rhythm"), "rhythm-125"));
  assert.ok(!isChosen(read("--only", "real"), "rows-10"));
  for (const part of Object.keys(parts)) assert.ok(usage.includes(`\n  ${part} `), part);
});

test("the contenders are started only for parts in which they take part", () => {
  assert.ok(needsEntrants(read()));
  assert.ok(needsEntrants(read("--only", "density", "--only", "actions")));
  assert.ok(!needsEntrants(read("--only", "density", "--only", "cold")));
});

test("only a whole run can be kept for a release", () => {
  assert.ok(read("--release").release);
  assert.match((readOptions(["--release", "--quick"]) as { problem: string }).problem, /whole run/);
});
