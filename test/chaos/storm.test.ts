import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "./scenario/agent.ts";
import { storyOf, tabsListed } from "./storm.ts";

test("tabs are counted by their lines, whatever their titles and the other lines contain", () => {
  assert.equal(tabsListed('t1 "One" http://a/\nt12 (current) "t3 " http://a/\n\nNew tab: t12 "t3"'), 2);
  assert.equal(tabsListed("No tabs are open in this role; the next call on a page opens one."), 0);
});

test("a story has each call with its result or error type, and its duration", () => {
  const outcome = (tool: string, rest: Partial<Outcome>) =>
    ({ tool, answer: "ok", beganMs: 10, endedMs: 22.4, ...rest }) as Outcome;
  const calls = [
    outcome("browser_navigate", {}),
    outcome("browser_click", { answer: "error", type: "TIMEOUT" }),
    outcome("browser_find", { answer: "unanswered" }),
  ];
  assert.equal(storyOf(calls), "navigate ok 12, click TIMEOUT 12, find unanswered 12");
});
