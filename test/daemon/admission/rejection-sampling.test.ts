import assert from "node:assert/strict";
import { test } from "node:test";
import { RejectionSampling } from "../../../daemon/admission/rejection-sampling.ts";
import { fakeClock } from "../fixtures/fake-clock.ts";

/** A client that may make two calls in a second: which of so many refused calls of a session are told. */
function teamOfTwo() {
  const clock = fakeClock();
  const refusals = new RejectionSampling(clock);
  const client = { name: "team", rate: { count: 2, perMs: 1000 } };
  return {
    clock,
    refusals,
    told: (session: string, times = 1) =>
      Array.from({ length: times }, () => refusals.isTold(client, `team/${session}`)),
  };
}

test("of calls of a session that are refused in a row, the first two are told", () => {
  const { refusals, told } = teamOfTwo();
  assert.deepEqual(told("a", 4), [true, true, false, false]);
  refusals.letThrough("team/a");
  assert.deepEqual(told("a", 3), [true, true, false], "the row was over");
});

test("a session that is refused is told of, whatever another session of its client does", () => {
  const { told } = teamOfTwo();
  told("a", 100);
  assert.deepEqual(told("b", 3), [true, true, false]);
  assert.deepEqual(told("a"), [false], "and its row goes on");
});

test("a client that names ever more sessions is told of no more often than its rate allows", () => {
  const { clock, told } = teamOfTwo();
  let next = 0;
  const invented = () => Array.from({ length: 100 }, () => told(`s${next++}`)).flat();
  const count = () => invented().filter(Boolean).length;
  assert.equal(count(), 8);
  assert.equal(count(), 0);
  clock.pass(500);
  assert.equal(count(), 4);
});
