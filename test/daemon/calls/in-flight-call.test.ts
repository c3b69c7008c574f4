import assert from "node:assert/strict";
import { test } from "node:test";
import { timeFor } from "../../../daemon/calls/in-flight-call.ts";

const NOW = 1_800_000_000_000;
const times: [what: string, deadlineMs: number, timeMs: number][] = [
  ["the configured time where the client gave none", Number.POSITIVE_INFINITY, 30_000],
  ["the configured time where the client gave more", NOW + 60_000, 30_000],
  ["a little less than the client gave", NOW + 10_000, 9_500],
  ["nine tenths of the little that the client gave", NOW + 500, 450],
  ["none where the client has stopped listening", NOW - 500, -500],
];
for (const [what, deadlineMs, timeMs] of times) {
  test(`a call has ${what}`, () => assert.equal(timeFor({ deadlineMs }, NOW, 30_000), timeMs));
}
