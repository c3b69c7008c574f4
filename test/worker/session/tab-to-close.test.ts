import assert from "node:assert/strict";
import { test } from "node:test";
import { leastCost, type Weight } from "../../../worker/session/tab-to-close.ts";

const MIB = 2 ** 20;
const tab = (name: string, mebibytes: number, more: Partial<Weight> = {}) => ({
  name,
  bytes: mebibytes * MIB,
  isBusy: false,
  hasInput: false,
  isCurrent: false,
  ...more,
});

const table: [what: string, tabs: ReturnType<typeof tab>[], closed: string | undefined][] = [
  ["none where none is open", [], undefined],
  ["the largest where all cost the same", [tab("a", 300), tab("b", 500)], "b"],
  ["one that is not the current one", [tab("a", 300), tab("b", 500, { isCurrent: true })], "a"],
  [
    "the current one rather than one that holds typed text",
    [tab("a", 400, { isCurrent: true }), tab("b", 500, { hasInput: true })],
    "a",
  ],
  [
    "one with typed text rather than break a call off",
    [tab("a", 300, { hasInput: true, isCurrent: true }), tab("b", 500, { isBusy: true })],
    "a",
  ],
  ["none that is not worth it", [tab("a", 100), tab("b", 500, { isBusy: true })], "b"],
];

for (const [what, tabs, closed] of table)
  test(`closed for memory: ${what}`, () => assert.equal(leastCost(tabs)?.name, closed));
