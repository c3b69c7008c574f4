import assert from "node:assert/strict";
import { test } from "node:test";
import { SlotQueue } from "../../../daemon/sessions/slot-queue.ts";
import { type FakeClock, fakeClock } from "../../harness/fake-clock.ts";

function open(limits: { sessions?: number; queue?: number } = {}, clock: FakeClock = fakeClock()) {
  const places = new SlotQueue(
    { role: "r", sessions: 1, queue: 2, queueWaitMs: 10_000, hibernateAfterMs: 300_000, ...limits },
    clock,
  );
  const never = new AbortController().signal;
  const take = (key: string, waitMs = 30_000, signal = never) =>
    places.take(key, `id of ${key}`, waitMs, signal);
  return { places, take, clock };
}

test("a session keeps its slot from call to call", async () => {
  const { places, take } = open();
  await take("a");
  await take("a");
  assert.ok(places.holds("a"));
  assert.equal(places.size, 1);
});

test("waiting sessions get freed slots in order of arrival", async () => {
  const { places, take } = open();
  await take("a");
  const order: string[] = [];
  const waiting = ["b", "c"].map((key) => take(key).then(() => order.push(key)));
  places.free("a");
  await waiting[0];
  assert.deepEqual([order, places.holds("c")], [["b"], false]);
  places.free("b");
  await waiting[1];
  assert.deepEqual(order, ["b", "c"]);
});

test("a session that waits too long gets BUSY with the holders and a retry time", async () => {
  const { take, clock } = open();
  await take("a");
  const waiting = assert.rejects(take("b"), {
    type: "BUSY",
    data: { limit: "role 'r' has 1 session awake at once", holders: ["id of a"], retryAfterMs: 10_000 },
  });
  clock.pass(10_000);
  await waiting;
});

test("a call's own deadline ends its wait earlier", async () => {
  const { take, clock } = open();
  await take("a");
  const waiting = assert.rejects(take("b", 500), { type: "BUSY" });
  clock.pass(500);
  await waiting;
});

test("a cancelled call leaves the queue, and its slot goes to the next", async () => {
  const { places, take, clock } = open();
  await take("a");
  const cancel = new AbortController();
  const cancelled = assert.rejects(take("b", 30_000, cancel.signal), /gone/);
  const next = take("c");
  cancel.abort(new Error("gone"));
  places.free("a");
  await Promise.all([cancelled, next]);
  assert.ok(places.holds("c"));
  assert.equal(clock.pending, 0);
});

test("a session with a freed slot is listed like any other holder", async () => {
  const { places, take, clock } = open();
  await take("a");
  const waiting = take("b");
  places.free("a");
  const late = assert.rejects(take("c"), {
    data: { limit: "role 'r' has 1 session awake at once", holders: ["id of b"], retryAfterMs: 10_000 },
  });
  clock.pass(10_000);
  await Promise.all([waiting, late]);
});

test("a session that ends just when it gets a slot loses it to the next", async () => {
  const { places, take } = open();
  await take("a");
  const over = new AbortController();
  const ended = assert.rejects(take("b", 30_000, over.signal), /over/);
  places.free("a");
  over.abort(new Error("over"));
  places.free("b");
  await ended;
  assert.ok(!places.holds("b"));
  await take("c");
});

test("a call that is cancelled already takes no slot", async () => {
  const { places, take } = open();
  await assert.rejects(take("a", 30_000, AbortSignal.abort(new Error("gone"))), /gone/);
  assert.equal(places.size, 0);
});

test("calls beyond the queue's bound are refused at once", async () => {
  const { places, take } = open();
  await take("a");
  const leave = [places.enter("a"), places.enter("a"), places.enter("b")];
  assert.equal(places.waiting, 2);
  assert.throws(() => places.enter("a"), { type: "BUSY" });
  assert.throws(() => places.enter("c"), { type: "BUSY" });
  leave[0]?.();
  places.enter("a");
});

test("a session's only call does not wait, however many others do", async () => {
  const { places, take } = open({ sessions: 2, queue: 0 });
  await take("a");
  places.enter("a");
  assert.throws(() => places.enter("a"), { type: "BUSY" });
  places.enter("b");
});

test("BUSY has the time at which the first idle session makes room", async () => {
  const { take, clock } = open({ sessions: 2 });
  const leave = await take("a");
  await take("b");
  leave();
  clock.pass(12_000);
  const late = assert.rejects(take("c"), ({ data }: { data: { retryAfterMs: number } }) => {
    assert.equal(data.retryAfterMs, 8_000);
    return true;
  });
  clock.pass(10_000);
  await late;
});

test("a hibernating session makes room, and its next call waits until it has hibernated", async () => {
  const { places, take } = open();
  const leave = await take("a");
  leave();
  const resting = Promise.withResolvers<undefined>();
  const vacated = places.vacate("a", () => resting.promise);
  const [other, back] = [take("b"), take("a")];
  resting.resolve(undefined);
  const over = await other;
  await vacated;
  assert.ok(!places.holds("a"));
  over();
  await places.vacate("b", async () => undefined);
  await back;
  assert.ok(places.holds("a"));
});

test("a session that stays awake keeps its slot, and its calls go on", async () => {
  const { places, take, clock } = open();
  (await take("a"))();
  await places.vacate("a", async () => "would-lose");
  assert.deepEqual(places.awake(), [{ key: "a", idleMs: 0, stays: "would-lose" }]);
  clock.pass(60_000);
  assert.deepEqual(places.awake(), [{ key: "a", idleMs: 60_000 }], "it is asked again then");
  const leave = await take("a");
  assert.deepEqual(places.awake(), [{ key: "a", idleMs: undefined }]);
  await places.vacate("a", () => assert.fail("it is at work"));
  leave();
});

test("a failed hibernation leaves the session awake", async () => {
  const { places, take } = open();
  (await take("a"))();
  await assert.rejects(
    places.vacate("a", () => Promise.reject(new Error("gone"))),
    /gone/,
  );
  assert.deepEqual(places.awake(), [{ key: "a", idleMs: 0, stays: "failed" }]);
});

test("a call of a hibernating session has a bounded wait, and ends when it is cancelled", async () => {
  const { places, take, clock } = open();
  (await take("a"))();
  const rest = Promise.withResolvers<undefined>();
  const resting = places.vacate("a", () => rest.promise);
  const late = assert.rejects(take("a", 500), {
    type: "BUSY",
    data: { limit: "this session is just being put to rest", holders: [], retryAfterMs: 1_000 },
  });
  const cancel = new AbortController();
  const cancelled = assert.rejects(take("a", 5_000, cancel.signal), /cancelled/);
  cancel.abort(new Error("cancelled"));
  await cancelled;
  clock.pass(500);
  await late;
  rest.resolve(undefined);
  await resting;
});

test("a call's wait for its session's hibernation counts towards its wait for a slot", async () => {
  const { places, take, clock } = open();
  (await take("a"))();
  const rest = Promise.withResolvers<undefined>();
  const resting = places.vacate("a", () => rest.promise);
  const waiting = take("a", 5_000);
  const other = take("b");
  clock.pass(4_000);
  rest.resolve(undefined);
  await Promise.all([resting, other]);
  const late = assert.rejects(waiting, { type: "BUSY" });
  await new Promise(setImmediate);
  clock.pass(1_000);
  await late;
});
