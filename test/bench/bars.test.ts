import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bar, judge, shownCharacters, shownMs, shownTimes } from "./bars.ts";
import type { ContenderId, Sample } from "./results/results.ts";

const page = "rows-125";
const measure = "full-first";

/** Returns the verdict on a bar for these figures of Troupe and one peer. */
function outcome(bar: object, own?: Partial<Sample>, other?: Partial<Sample>) {
  const samples: Sample[] = [];
  const add = (contender: ContenderId, sample: Partial<Sample> | undefined) =>
    sample && samples.push({ contender, page, measure, ms: 1, ...sample });
  add("troupe", own);
  add("playwright", other);
  const { measured, reached } = judge({ page, measure, ...bar } as Bar, { samples, quantities: [] });
  return [measured, reached];
}

test("a bound on time is reached up to the bound itself", () => {
  assert.deepEqual(outcome({ msMax: 8 }, { ms: 8 }), ["8.0 ms", true]);
  assert.deepEqual(outcome({ msMax: 8 }, { ms: 8.04 }), ["8.0 ms", false]);
  assert.deepEqual(outcome({ msMax: 8 }, undefined, { ms: 1 }), [undefined, undefined]);
});

test("being ahead is measured against the peer of the same run", () => {
  const bar = { aheadOf: "playwright", timesMin: 6 };
  assert.deepEqual(outcome(bar, { ms: 5 }, { ms: 30 }), ["6.0×", true]);
  assert.deepEqual(outcome(bar, { ms: 5 }, { ms: 29 }), ["5.8×", false]);
  assert.deepEqual(outcome(bar, { ms: 5 }), [undefined, undefined], "no peer, no verdict");
});

test("sizes are shares of the peer's characters", () => {
  const bar = { sizeOf: "playwright", shareMax: 0.55 };
  assert.deepEqual(outcome(bar, { characters: 55 }, { characters: 100 }), ["0.55 ×", true]);
  assert.deepEqual(outcome(bar, { characters: 56 }, { characters: 100 }), ["0.56 ×", false]);
  assert.deepEqual(outcome({ charactersMax: 24_000 }, { characters: 24_001 }), ["24 k characters", false]);
});

test("growth is compared with the same measure on another page, and an addition with another measure", () => {
  const samples: Sample[] = [
    { contender: "troupe", page: "rows-6250", measure: "one-row", ms: 4, characters: 300 },
    { contender: "troupe", page, measure: "one-row", ms: 2, characters: 150 },
    { contender: "troupe", page: "rows-6250", measure: "raw", ms: 3, characters: 0 },
  ];
  const growth = { page: "rows-6250", measure: "one-row", sizeAt: page, timesMax: 1.5 };
  assert.equal(judge(growth, { samples, quantities: [] }).reached, false);
  assert.equal(judge({ ...growth, timesMax: 2 }, { samples, quantities: [] }).reached, true);
  const added = { page: "rows-6250", measure: "one-row", over: "raw", msMax: 1 };
  assert.deepEqual(judge(added, { samples, quantities: [] }).measured, "1.0 ms");
  assert.equal(judge({ ...added, msMax: 0.9 }, { samples, quantities: [] }).reached, false);
});

test("figures are printed as precisely as they are known", () => {
  assert.deepEqual([0.44, 9.94, 9.96, 2030.4].map(shownMs), ["0.4 ms", "9.9 ms", "10 ms", "2,030 ms"]);
  assert.deepEqual(
    [999, 2340, 51_400, 2_640_000].map(shownCharacters),
    ["999", "2.3 k", "51 k", "2.64 M"].map((text) => `${text} characters`),
  );
  assert.deepEqual([1.26, 16.4].map(shownTimes), ["1.3×", "16×"]);
});

test("a quantity is compared with its bound, at most or at least", () => {
  const quantities = [1900, 2000, 2600].map((value) => ({ page, measure, value, unit: "calls/s" as const }));
  const of = (bar: object) => judge({ page, measure, ...bar } as Bar, { samples: [], quantities });
  const { target, measured, reached } = of({ quantityMin: 2000, unit: "calls/s" });
  assert.deepEqual([target, measured, reached], ["≥ 2,000 calls/s", "2,000 calls/s", true]);
  assert.equal(of({ quantityMin: 2001, unit: "calls/s" }).reached, false);
  assert.equal(of({ quantityMax: 1999, unit: "calls/s" }).reached, false);
  const missing = judge({ page, measure: "other", quantityMax: 1, unit: "MiB" }, { samples: [], quantities });
  assert.equal(missing.reached, undefined);
});
