import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bucket, Rates, takeFrom } from "../../../daemon/admission/rate.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

const rate = { count: 2, perMs: 1000 };
const after = (before: Bucket | undefined, nowMs: number) => takeFrom(before, rate, nowMs);

test("a bucket starts full, and fills evenly", () => {
  const one = after(undefined, 0);
  const two = after(one, 0);
  assert.deepEqual([one.waitMs, two.waitMs, two.left], [undefined, undefined, 0]);
  assert.equal(after(two, 0).waitMs, 500);
  assert.equal(after(two, 400).waitMs, 100);
  assert.equal(after(two, 500).waitMs, undefined);
});

test("a refused call takes nothing from the bucket", () => {
  const empty = { left: 0, atMs: 0 };
  const { waitMs, ...later } = after(empty, 300);
  assert.equal(waitMs, 200);
  assert.equal(after(later, 500).waitMs, undefined);
});

test("setting the clock back or forward by an hour changes no client's rate", () => {
  for (const setByMs of [-3_600_000, 3_600_000]) {
    const clock = fakeClock();
    const rates = new Rates(clock);
    const take = () => rates.take({ name: "ci", rate });
    take();
    take();
    clock.set(setByMs);
    const limit = "ci may make 2 calls in 1 s";
    assert.throws(take, { type: "BUSY", data: { limit, holders: [], own: "rate", retryAfterMs: 500 } });
    clock.pass(500);
    take();
  }
});

test("a rate admits its number at once, then evenly, with the time of the next call", () => {
  const rate = { count: 2, perMs: 1000 };
  const clock = fakeClock();
  const rates = new Rates(clock);
  const take = () => rates.take({ name: "ci", rate });
  take();
  take();
  assert.throws(take, {
    type: "BUSY",
    data: { limit: "ci may make 2 calls in 1 s", holders: [], own: "rate", retryAfterMs: 500 },
  });
  rates.take({ name: "other", rate });
  rates.take({ name: "ci" });
  clock.pass(500);
  take();
  clock.pass(200);
  assert.throws(take, {
    data: { limit: "ci may make 2 calls in 1 s", holders: [], own: "rate", retryAfterMs: 300 },
  });
  clock.pass(60_000);
  take();
  take();
  assert.throws(take, { type: "BUSY" }, "no more is saved up than comes at once");
});
