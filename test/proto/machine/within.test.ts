import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { within } from "../../../proto/machine/within.ts";

const LATE = new Error("late");
const ABORTED = new Error("aborted");

/** A clock whose alarms ring when the test says so. */
function handClock() {
  const alarms = new Set<() => void>();
  return {
    alarms,
    ring: () => {
      for (const alarm of alarms) alarm();
    },
    after(_ms: number, callback: () => void) {
      alarms.add(callback);
      return { cancel: () => void alarms.delete(callback) };
    },
  };
}

test("a wait settles as its promise does, and leaves no timer and no listener behind", async () => {
  const clock = handClock();
  const { signal } = new AbortController();
  const bounds = { signal, timeMs: 5, late: () => LATE, clock };
  assert.equal(await within(bounds, Promise.resolve(3)), 3);
  await assert.rejects(within(bounds, Promise.reject(ABORTED)), ABORTED);
  assert.equal(clock.alarms.size, 0);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("a wait ends with the signal's reason, and its late rejection counts as handled", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const controller = new AbortController();
  let gaveUp = 0;
  const wait = within({ signal: controller.signal, gaveUp: () => gaveUp++ }, promise);
  controller.abort(ABORTED);
  assert.equal(gaveUp, 1, "the waiter gives up at once");
  await assert.rejects(wait, ABORTED);
  reject(new Error("too late"));
  await assert.rejects(within({ signal: controller.signal }, Promise.resolve(3)), ABORTED);
  const aborted = () => new Error("in other words");
  await assert.rejects(within({ signal: controller.signal, aborted }, promise), /in other words/);
});

test("after its time a wait rejects with its own error, or resolves with nothing", async () => {
  const clock = handClock();
  const never = new Promise<number>(() => undefined);
  const strict = within({ timeMs: 5, late: () => LATE, clock }, never);
  const lenient = within({ timeMs: 5, clock }, never);
  clock.ring();
  await assert.rejects(strict, LATE);
  assert.equal(await lenient, undefined);
  assert.equal(clock.alarms.size, 0);
});
