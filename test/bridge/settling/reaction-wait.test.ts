// How long a page is waited for after a cause, by what is known of it.
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

test("input that no script heard of is not waited for at all", () => {
  assert.equal(waitMs(since({ unheard: true, timers: true })), 0);
});

test("a page that started timers is waited for longer than one that did not", () => {
  for (const cause of ["input", "answer", "message", "arrival"] as const)
    for (const news of [false, true])
      assert.ok(
        waitMs(since({ cause, news, timers: true })) > waitMs(since({ cause, news })),
        `${cause}, ${news ? "with" : "without"} news`,
      );
});

test("a page that already shows something else is waited for no longer than one that does not", () => {
  for (const cause of ["input", "answer", "cache", "message", "arrival"] as const)
    for (const timers of [false, true])
      assert.ok(waitMs(since({ cause, timers, news: true })) <= waitMs(since({ cause, timers })));
});

test("an answer is waited for until a timer of the page of up to 100 ms has come round", () => {
  assert.ok(waitMs(since({ cause: "answer" })) >= 100);
});

test("a field that filters 300 ms after the last key has its time", () => {
  assert.ok(waitMs(since({ timers: true })) > 300);
});
