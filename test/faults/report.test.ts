import assert from "node:assert/strict";
import { test } from "node:test";
import { type Result, reportText, summaryOf } from "./report.ts";

const result = (over: Partial<Result>): Result => ({
  type: "STALE_REF",
  fault: "a button",
  recovers: "yes",
  reader: "plan",
  recovered: true,
  calls: 2,
  ...over,
});

test("only recoverable faults count, and only the calls of recovered ones", () => {
  const results = [
    result({ calls: 1 }),
    result({ calls: 3 }),
    result({ recovered: false, calls: 8 }),
    result({ recovers: "asks", recovered: false, calls: 0 }),
    result({ reader: "message", recovered: false }),
  ];
  assert.deepEqual(summaryOf(results, "plan"), { recoverable: 3, recovered: 2, callsMean: 2, callsMax: 3 });
  assert.deepEqual(summaryOf(results, "message"), {
    recoverable: 1,
    recovered: 0,
    callsMean: 0,
    callsMax: 0,
  });
});

test("the report compares plan and message by type, and names the faults without recovery", () => {
  const results = [
    result({}),
    result({ fault: "a row", recovered: false, calls: 0, broken: "it did not fail" }),
    result({ reader: "message", recovered: false }),
    result({ type: "BUSY", recovers: "no", recovered: false }),
  ];
  const text = reportText(results, { date: "2026-11-20", machine: "2 cores" });
  assert.match(text, /^\| \*\*all, by the plan\*\* \| 1 of 2 \(50%\) \| 2\.0 \| 2 \|$/m);
  assert.match(text, /^\| all, by the message alone \| 0 of 1 \(0%\) \| 0\.0 \| 0 \|$/m);
  assert.match(text, /^\| STALE_REF \| 2 \| 1 of 2 \| 2\.0 \/ 2 \| 0 of 1 \| {2}\| {2}\|$/m);
  assert.match(text, /^\| BUSY \| 1 \| {2}\| {2}\| {2}\| {2}\| 1 \|$/m);
  assert.match(text, /^- STALE_REF: a row \(it did not fail\)$/m);
});
