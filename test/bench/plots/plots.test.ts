import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { plotsOf } from "./plots.ts";

const root = path.join(import.meta.dirname, "../../..");
const readText = (file: string) => readFileSync(path.join(root, file), "utf8");

test("the plots in docs/ show the figures of RESULTS.md, and README shows the plots", () => {
  for (const { file, text } of plotsOf(readText("test/bench/RESULTS.md"))) {
    assert.equal(readText(file), text, `${file} is out of date: run node test/readme/transcript.ts --write`);
    assert.ok(readText("README.md").includes(`](${file})`));
  }
});

test("results without a cell of a plot are an error", () => {
  assert.throws(() => plotsOf("# Benchmark results\n"), /RESULTS\.md has no 1,250 rows/);
});
