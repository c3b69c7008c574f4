import assert from "node:assert/strict";
import { test } from "node:test";
import { type Baseline, baselineOf, regressionLine, regressions, slowness } from "./compare.ts";
import { contenderIds } from "./results.ts";

const versions = Object.fromEntries(contenderIds.map((id) => [id, "1"])) as Baseline["versions"];
const where = { page: "rows-10", measure: "full-first" };

function run(ms: number, { peerMs = 100, characters = 1000, rate = 3000, memory = 20 } = {}): Baseline {
  return {
    versions,
    figures: [
      { contender: "troupe", ...where, ms, characters },
      { contender: "playwright", ...where, ms: peerMs },
    ],
    quantities: [
      { page: "throughput", measure: "daemon", value: rate, unit: "calls/s" },
      { page: "density", measure: "one more session", value: memory, unit: "MiB" },
    ],
  };
}

test("a time that is more than a tenth worse is a regression, and less is none", () => {
  assert.deepEqual(regressions(run(10), run(10.9)), []);
  const [found] = regressions(run(10), run(12));
  assert.equal(found?.what, "time");
  assert.equal(regressionLine(found as never), "full-first, rows-10: 10 → 12 ms, 20 % worse");
});

test("on a slower machine, where the peers are slower too, the same ratio is no regression", () => {
  assert.equal(slowness(run(10), run(20, { peerMs: 200 })), 2);
  assert.deepEqual(regressions(run(10), run(20, { peerMs: 200, rate: 1500 })), []);
  assert.equal(regressions(run(10), run(20, { rate: 3000 })).length, 1);
});

test("another version of a peer says nothing about the machine", () => {
  const other = { ...run(10, { peerMs: 200 }), versions: { ...versions, playwright: "2" } };
  assert.equal(slowness(run(10), other), 1);
});

test("fewer calls a second, more memory and more characters are regressions, the worst first", () => {
  const found = regressions(run(10), run(10, { rate: 1500, memory: 25, characters: 1200 }));
  assert.deepEqual(
    found.map(({ what, before, now }) => [what, before, now]),
    [
      ["calls/s", 3000, 1500],
      ["MiB", 20, 25],
      ["characters", 1000, 1200],
    ],
  );
});

test("a difference below the noise of the clock is no regression", () => {
  assert.deepEqual(regressions(run(1), run(1.4)), []);
});

test("what one of the two runs did not measure is not compared", () => {
  assert.deepEqual(regressions({ ...run(10), figures: [] }, run(50)), []);
});

test("a run is kept by its medians", () => {
  const sample = (ms: number) => ({ contender: "troupe" as const, ...where, ms, characters: 5 });
  const quantities = [1, 9, 3].map((value) => ({ page: "p", measure: "m", value, unit: "MiB" as const }));
  assert.deepEqual(
    baselineOf({ samples: [sample(1), sample(2), sample(9)], quantities, failures: [] }, versions),
    {
      versions,
      figures: [{ contender: "troupe", ...where, ms: 2, characters: 5 }],
      quantities: [{ page: "p", measure: "m", value: 3, unit: "MiB" }],
    },
  );
});
