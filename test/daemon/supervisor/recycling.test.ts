import assert from "node:assert/strict";
import { test } from "node:test";
import { type Upkeep, upkeepDue, type WorkerCondition } from "../../../daemon/supervisor/recycling.ts";

const MINUTE_MS = 60_000;
const bounds = { memory: 1000, maxAgeMs: 100 * MINUTE_MS };
const fit: WorkerCondition = {
  ageMs: MINUTE_MS,
  memoryBytes: 1000,
  sinceCollectedMs: 0,
  sinceTooLargeMs: undefined,
  sinceRecycledMs: undefined,
  callsUnderWay: 0,
  hasInput: false,
};

const table: [what: string, condition: Partial<WorkerCondition>, due: Upkeep][] = [
  ["a worker within its bounds is left alone", {}, undefined],
  ["one that has not been measured is left alone", { memoryBytes: undefined }, undefined],
  [
    "from half of its bound on it is asked what it can do without",
    { memoryBytes: 501, sinceCollectedMs: undefined },
    "collect-garbage",
  ],
  [
    "and before all else where it holds too much, however short ago it was asked",
    { memoryBytes: 1001, sinceCollectedMs: 15_000 },
    "collect-garbage",
  ],
  [
    "so is one that would lose a tab",
    { memoryBytes: 1001, sinceCollectedMs: 15_000, sinceRecycledMs: 0 },
    "collect-garbage",
  ],
  ["so is a fresh one", { memoryBytes: 1001, sinceCollectedMs: undefined }, "collect-garbage"],
  [
    "one that holds too much waits for input to be sent, and tabs without any make room",
    { memoryBytes: 1001, hasInput: true, sinceTooLargeMs: 2 * MINUTE_MS - 1 },
    "close-tab-without-input",
  ],
  [
    "but not for ever",
    { memoryBytes: 1001, hasInput: true, sinceTooLargeMs: 2 * MINUTE_MS },
    "recycle-for-memory",
  ],
  ["an old one waits for input to be sent", { ageMs: 109 * MINUTE_MS, hasInput: true }, undefined],
  ["but not for ever", { ageMs: 111 * MINUTE_MS, hasInput: true }, "recycle-for-age"],
  ["but not all the time", { memoryBytes: 1000, sinceCollectedMs: 2 * MINUTE_MS - 1 }, undefined],
  ["one that holds little is not", { memoryBytes: 500, sinceCollectedMs: undefined }, undefined],
  ["one that holds too much is recycled", { memoryBytes: 1001 }, "recycle-for-memory"],
  [
    "calls under way are waited for by the recycling",
    { memoryBytes: 1001, callsUnderWay: 3 },
    "recycle-for-memory",
  ],
  [
    "one that holds too much again loses its largest tab",
    { memoryBytes: 1001, sinceRecycledMs: 10 * MINUTE_MS - 1 },
    "close-largest-tab",
  ],
  [
    "ten minutes later it may be recycled again",
    { memoryBytes: 1001, sinceRecycledMs: 10 * MINUTE_MS },
    "recycle-for-memory",
  ],
  ["an old one is recycled while no call is under way", { ageMs: 100 * MINUTE_MS }, "recycle-for-age"],
  ["an old one with a call goes on", { ageMs: 109 * MINUTE_MS, callsUnderWay: 1 }, undefined],
  ["but not for ever", { ageMs: 111 * MINUTE_MS, callsUnderWay: 1 }, "recycle-for-age"],
  [
    "an old one that is too large is recycled for its size",
    { ageMs: 100 * MINUTE_MS, memoryBytes: 1001 },
    "recycle-for-memory",
  ],
];

for (const [what, condition, due] of table)
  test(what, () => assert.equal(upkeepDue(bounds, { ...fit, ...condition }), due));
