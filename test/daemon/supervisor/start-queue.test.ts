import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { START_HOLDS_MS_MAX, StartQueue } from "../../../daemon/supervisor/start-queue.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

/** Roles by name that wait to start. `started` lists the admitted ones, in order. */
function open(atOnce = 1) {
  const clock = fakeClock();
  const queue = new StartQueue(atOnce, clock);
  const started: string[] = [];
  const leave = new Map<string, () => void>();
  const enter = async (name: string, neededSinceMs?: number) => {
    const role = { neededSinceMs };
    const entering = queue.enter(role).then((place) => {
      started.push(name);
      leave.set(name, () => place[Symbol.dispose]());
    });
    await Promise.race([entering, turn()]);
    return role;
  };
  const ends = async (name: string) => {
    leave.get(name)?.();
    await turn();
  };
  return { clock, started, enter, ends };
}

test("workers start one after the other, in order of arrival", async () => {
  const { started, enter, ends, clock } = open();
  for (const name of ["a", "b", "c"]) await enter(name);
  assert.deepEqual(started, ["a"]);
  await ends("a");
  assert.deepEqual(started, ["a", "b"]);
  await ends("b");
  await ends("c");
  assert.deepEqual(started, ["a", "b", "c"]);
  assert.equal(clock.pending, 0);
});

test("the role that a client needed first is next, even if it arrived last", async () => {
  const { started, enter, ends } = open();
  await enter("a");
  await enter("b");
  const c = await enter("c");
  await enter("d", 20);
  c.neededSinceMs = 10;
  await ends("a");
  await ends("c");
  await ends("d");
  assert.deepEqual(started, ["a", "c", "d", "b"]);
});

test("as many workers start at once as the queue allows", async () => {
  const { started, enter, ends } = open(2);
  for (const name of ["a", "b", "c"]) await enter(name);
  assert.deepEqual(started, ["a", "b"]);
  await ends("b");
  assert.deepEqual(started, ["a", "b", "c"]);
});

test("a slow start stops blocking others, and its end frees no second place", async () => {
  const { started, enter, ends, clock } = open();
  for (const name of ["a", "b", "c"]) await enter(name);
  clock.pass(START_HOLDS_MS_MAX);
  await turn();
  assert.deepEqual(started, ["a", "b"]);
  await ends("a");
  assert.deepEqual(started, ["a", "b"]);
});
