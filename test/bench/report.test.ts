import assert from "node:assert/strict";
import { test } from "node:test";
import { type Report, reachedLine, reportText } from "./report.ts";
import type { Sample } from "./results/results.ts";

const machine = {
  processor: "Some CPU",
  cores: 2,
  memoryGb: 8,
  system: "Some Linux, x64",
  node: "v26.0.0",
  browser: "Chromium 1.2.3.4",
  loadBefore: 0.1,
};
const sample = (contender: Sample["contender"], ms: number, characters: number): Sample => ({
  contender,
  page: "rows-125",
  measure: "full-first",
  ms,
  characters,
});
const report = (more: Partial<Report["results"]> = {}, on: Partial<Report["machine"]> = {}): string =>
  reportText({
    machine: { ...machine, ...on },
    date: "2026-11-20",
    titles: { troupe: "Troupe 1", playwright: "Playwright MCP 2" },
    results: {
      samples: [sample("troupe", 5, 2000), sample("troupe", 7, 2000), sample("playwright", 48, 51_000)],
      quantities: [],
      failures: [],
      ...more,
    },
  });

test("a table has each contender's median, size and ratio to Troupe, and the number of rounds", () => {
  const text = report();
  assert.match(text, /\| +\| 125 rows +\|/);
  assert.match(text, /\| Troupe 1 +\| 6\.0 ms, 2\.0 k +\|/);
  assert.match(text, /\| Playwright MCP 2 +\| 48 ms, 51 k, 8\.0× +\|/);
  assert.match(text, /\| rounds +\| 1–2 +\|/);
});

test("a target is reached, not reached, or not measured", () => {
  const text = report();
  assert.match(text, /\| full-first, rows-125 +\| ≤ 8 ms +\| 6\.0 ms +\| reached +\|/);
  assert.match(text, /\| full-first, rows-125 +\| ≥ 6× ahead of playwright +\| 8\.0× +\| reached +\|/);
  assert.match(text, /\| full-first, rows-6250 +\| ≤ 120 ms +\| not measured +\| – +\|/);
  const slow = report({ samples: [sample("troupe", 9, 10)] });
  assert.match(slow, /\| full-first, rows-125 +\| ≤ 8 ms +\| 9\.0 ms +\| NOT REACHED +\|/);
});

test("only measured parts have a table, and failures are listed", () => {
  const text = report({
    failures: [{ contender: "playwright", page: "swagger-ui", measure: "at first", reason: "it broke" }],
  });
  assert.doesNotMatch(text, /### Starts|control plane/);
  assert.match(text, /Playwright MCP 2, swagger-ui, at first: it broke/);
  assert.doesNotMatch(report(), /could not be measured/);
});

test("a machine that was busy before the run is marked", () => {
  assert.match(report({}, { loadBefore: 7.25 }), /was busy before the run \(load 7\.3\)/);
  assert.doesNotMatch(report(), /busy/);
});

test("a contender with full snapshots only stands with them in the other tables", () => {
  const samples = (["troupe", "playwright"] as const).map((id) => sample(id, 5, 10));
  const own = { ...sample("troupe", 2, 10), measure: "default-first" };
  const text = report({ samples: [...samples, own] });
  assert.match(text, /### Look without arguments[\s\S]*\| Playwright MCP 2 +\| 5\.0 ms, 10, 2\.5× +\|/);
});

test("targets that were not measured count neither way", () => {
  const bar = { page: "p", measure: "m", msMax: 1 };
  const verdicts = [
    { bar, target: "" },
    { bar, target: "", measured: "1", reached: true },
    { bar, target: "", measured: "2", reached: false },
  ];
  assert.equal(reachedLine(verdicts), "1 of 2 measured targets are reached.");
});

test("quantities stand in a table with their unit, each by its median", () => {
  const keep = (value: number) => ({ page: "density", measure: "worker", value, unit: "MiB" as const });
  assert.match(report({ quantities: [60, 80, 62].map(keep) }), /\| density, worker +\| 62 MiB +\|/);
  assert.doesNotMatch(report(), /### Calls a second/);
});
