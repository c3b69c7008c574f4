// Tests how long a page is awaited after a cause, by what is known about it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Since, waitMs } from "../../../worker/bridge/settling/reaction-wait.ts";

const since = (known: Partial<Since>): Since => ({
  cause: "input",
  unheard: false,
  mutated: false,
  news: false,
  timers: false,
  ...known,
});

test("input that no script received has no wait", () => {
  assert.equal(waitMs(since({ unheard: true, timers: true })), 0);
});

test("the wait is longer for a page that started timers", () => {
  for (const cause of ["input", "answer", "message", "arrival"] as const)
    for (const news of [false, true])
      assert.ok(
        waitMs(since({ cause, news, timers: true })) > waitMs(since({ cause, news })),
        `${cause}, ${news ? "with" : "without"} news`,
      );
});

test("the wait is not longer for a page that already shows something new", () => {
  for (const cause of ["input", "answer", "cache", "message", "arrival"] as const)
    for (const timers of [false, true])
      assert.ok(waitMs(since({ cause, timers, news: true })) <= waitMs(since({ cause, timers })));
});

test("the wait after an answer covers a page's timer of up to 100 ms", () => {
  assert.ok(waitMs(since({ cause: "answer" })) >= 100);
});

test("the wait covers a field that filters 300 ms after the last key", () => {
  assert.ok(waitMs(since({ timers: true })) > 300);
});
