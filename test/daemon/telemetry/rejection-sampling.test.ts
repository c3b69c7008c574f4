import assert from "node:assert/strict";
import { test } from "node:test";
import { rejectionSampling } from "../../../daemon/telemetry/rejection-sampling.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

/** Returns which of a session's rejected calls are recorded. */
function team() {
  const clock = fakeClock();
  const records = rejectionSampling(clock);
  return {
    clock,
    records,
    recorded: (session: string, times = 1) =>
      Array.from({ length: times }, () => records({ isOverRate: true, client: "team", session })),
  };
}

test("the first two rejections of a session are recorded, and two a minute after them", () => {
  const { clock, records, recorded } = team();
  assert.deepEqual(recorded("a", 4), [true, true, false, false]);
  assert.ok(records({ client: "team", session: "a" }), "any other call");
  clock.pass(60_000);
  assert.deepEqual(recorded("a", 3), [true, true, false]);
});

test("a session's rejections are recorded, whatever another session of its client does", () => {
  const { recorded } = team();
  recorded("a", 100);
  assert.deepEqual(recorded("b", 3), [true, true, false]);
  assert.deepEqual(recorded("a"), [false], "and its bound stays");
});

test("rejections of a client with ever more sessions are bounded", () => {
  const { clock, recorded } = team();
  let next = 0;
  const invented = () => Array.from({ length: 100 }, () => recorded(`s${next++}`)).flat();
  const count = () => invented().filter(Boolean).length;
  assert.equal(count(), 60);
  assert.equal(count(), 0);
  clock.pass(30_000);
  assert.equal(count(), 30);
});
