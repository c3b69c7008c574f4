// Tests which addresses are polls: those whose answer brings the next request, as long as it does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Polls } from "../../../worker/activity/polls.ts";

const none = () => false;

function clocked() {
  const clock = { nowMs: 0 };
  return { clock, polls: new Polls(() => clock.nowMs) };
}

test("an address that is asked again right after its answer is a poll, but not one asked later", () => {
  for (const [waitMs, isPoll] of [
    [5, true],
    [101, false],
  ] as const) {
    const { clock, polls } = clocked();
    polls.asked("events", none);
    polls.answered("events", false);
    clock.nowMs += waitMs;
    polls.asked("events", none);
    assert.equal(polls.has("events"), isPoll);
  }
});

test("parts that an action reads in a row are no poll, even if the page once read them itself", () => {
  const { clock, polls } = clocked();
  for (const isOwn of [true, false, true]) {
    clock.nowMs += 1_000;
    for (let part = 0; part < 3; part++) {
      polls.asked("parts", none);
      assert.equal(polls.has("parts"), !isOwn && part > 0);
      polls.answered("parts", isOwn);
    }
  }
});

test("a poll stays one while an action asks too, and in the next document until a single request", () => {
  const { clock, polls } = clocked();
  polls.asked("events", none);
  polls.answered("events", false);
  polls.asked("events", none);
  clock.nowMs += 1_000;
  polls.asked("events", () => true);
  assert.ok(polls.has("events"));
  polls.committed();
  polls.asked("events", none);
  assert.ok(polls.has("events"));
  clock.nowMs += 1_000;
  polls.asked("events", none);
  assert.ok(!polls.has("events"));
});
