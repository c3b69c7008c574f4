import assert from "node:assert/strict";
import { test } from "node:test";
import { isReached } from "../chaos/scenario/figures.ts";
import {
  type Call,
  type Event,
  figuresOf,
  quantile,
  recoveriesMs,
  reportedTimes,
  unnoticedFigures,
} from "./verdicts.ts";

function call(session: string, beganMs: number, endedMs: number, type?: string): Call {
  return {
    session,
    tool: "browser_click",
    beganMs,
    endedMs,
    answer: type ? "error" : "ok",
    ...(type && { type }),
  };
}

const EVENT: Event = { name: "a death", kind: "kill", atMs: 100, untilMs: 1000, affected: new Set(["a"]) };
const GOOD = {
  calls: [],
  events: [],
  ledger: new Map([["a-1", 1]]),
  strangers: 0,
  absences: 0,
  foreignWrites: 0,
};

/** Returns the names of figures that do not reach their bars. */
const missed = (figures: ReturnType<typeof figuresOf>) =>
  figures.filter((figure) => !isReached(figure)).map(({ name }) => name);

test("a recovery counts from the death to the end of the next good call", () => {
  assert.deepEqual(
    recoveriesMs([call("a", 0, 50), call("a", 90, 110, "X"), call("a", 200, 300)], EVENT),
    [200],
  );
});

test("a session that is not used meanwhile recovers from its next call on", () => {
  assert.deepEqual(recoveriesMs([call("a", 500, 510, "X"), call("a", 600, 650)], EVENT), [150]);
});

test("only affected sessions that are used count, and one without a good reply never recovers", () => {
  const calls = [call("b", 200, 900), call("a", 200, 250, "X")];
  assert.deepEqual(recoveriesMs(calls, EVENT), [Number.POSITIVE_INFINITY]);
  assert.deepEqual(recoveriesMs([call("a", 0, 100)], EVENT), []);
});

test("what a session gets reported counts from an event to the next", () => {
  const reported = "WORKER_RESTARTED";
  const calls = [
    call("a", 0, 99, reported),
    call("a", 0, 100, reported),
    call("a", 200, 300, reported),
    call("b", 900, 1000, reported),
  ];
  assert.deepEqual(reportedTimes(calls, EVENT), new Map([["a", 2]]));
  assert.deepEqual(missed(figuresOf({ ...GOOD, calls: [...calls, call("a", 310, 320)], events: [EVENT] })), [
    "WORKER_RESTARTED for one session at most, a death",
  ]);
});

test("a restart reported after a daemon left in order misses the bar", () => {
  const events = [{ ...EVENT, kind: "leave" as const }];
  assert.equal(missed(figuresOf({ ...GOOD, calls: [call("a", 200, 300)], events })).length, 0);
  const reported = [call("a", 200, 300, "WORKER_RESTARTED"), call("a", 300, 400)];
  assert.equal(missed(figuresOf({ ...GOOD, calls: reported, events })).length, 1);
});

test("each wrong outcome misses its bar", () => {
  assert.deepEqual(missed(figuresOf(GOOD)), []);
  assert.deepEqual(missed(figuresOf({ ...GOOD, calls: [call("a", 0, 1, "SESSION_LOST")] })), [
    "SESSION_LOST",
  ]);
  assert.deepEqual(missed(figuresOf({ ...GOOD, ledger: new Map([["a-1", 2]]) })), ["actions done twice"]);
  assert.equal(missed(figuresOf({ ...GOOD, strangers: 1 })).length, 1);
  assert.equal(missed(figuresOf({ ...GOOD, absences: 1 })).length, 1);
  assert.equal(missed(figuresOf({ ...GOOD, foreignWrites: 1 })).length, 1);
  const slow = { calls: [call("a", 200, 2300)], events: [EVENT] };
  assert.deepEqual(missed(figuresOf({ ...GOOD, ...slow })), ["from kill -9 to the next good reply: p99"]);
});

test("a click without its typed number is no repeated action", () => {
  assert.deepEqual(missed(figuresOf({ ...GOOD, ledger: new Map([["", 3]]) })), []);
});

test("any failed call of a rolling restart misses the bar", () => {
  assert.deepEqual(missed(unnoticedFigures({ calls: [call("a", 0, 1)] })), []);
  assert.deepEqual(missed(unnoticedFigures({ calls: [call("a", 0, 1, "BUSY")] })), ["failed calls"]);
});

test("quantiles are values that were measured", () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  assert.deepEqual([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)], [100, 198, 200]);
  assert.ok(Number.isNaN(quantile([], 0.5)));
});
