import assert from "node:assert/strict";
import { test } from "node:test";
import { RejectionSampling } from "../../../daemon/admission/rejection-sampling.ts";
import { fakeClock } from "../fixtures/fake-clock.ts";

/** A client that may make two calls in a second. It returns which of a session's rejected calls are recorded. */
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

test("the first two rejections of a session in a row are recorded", () => {
  const { refusals, told } = teamOfTwo();
  assert.deepEqual(told("a", 4), [true, true, false, false]);
  refusals.letThrough("team/a");
  assert.deepEqual(told("a", 3), [true, true, false], "the row was over");
});

test("a session's rejections are recorded, whatever another session of its client does", () => {
  const { told } = teamOfTwo();
  told("a", 100);
  assert.deepEqual(told("b", 3), [true, true, false]);
  assert.deepEqual(told("a"), [false], "and its row goes on");
});

test("rejections of a client with ever more sessions are bounded by its rate", () => {
  const { clock, told } = teamOfTwo();
  let next = 0;
  const invented = () => Array.from({ length: 100 }, () => told(`s${next++}`)).flat();
  const count = () => invented().filter(Boolean).length;
  assert.equal(count(), 8);
  assert.equal(count(), 0);
  clock.pass(500);
  assert.equal(count(), 4);
});
