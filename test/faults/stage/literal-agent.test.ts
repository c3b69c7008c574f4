import assert from "node:assert/strict";
import { test } from "node:test";
import { CANDIDATE, detailOf, fail, type Step } from "../../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { failedCall } from "../../proto/cases.ts";
import { followPlan, type Heard, repeatAfterLook } from "./literal-agent.ts";
import { asMessageSays } from "./message-reader.ts";

const element = { ref: "e5", role: "button", name: "Save", tag: "button" };
const error = detailOf(fail("STALE_REF", element), failedCall, 0);
const look: Step = { text: "Look", tool: "browser_snapshot", arguments: {} };
const click: Step = { text: "Click", tool: "browser_click", arguments: { ref: CANDIDATE } };

test("it calls each step in order, with the candidate's ref", async () => {
  const agent = answering({});
  const candidates = [{ ref: "e31", role: "button", name: "Save" }];
  const { calls, stopped } = await followPlan(
    agent,
    failed([look, { text: "Find it" }, click], { candidates }),
  );
  assert.deepEqual(agent.heard, ["browser_snapshot {}", 'browser_click {"ref":"e31"}']);
  assert.equal(calls, 2);
  assert.equal(stopped, undefined);
});

test("without a candidate it takes the first line of the newest snapshot that has the role and the name", async () => {
  const agent = answering({ browser_snapshot: '- button "Other" [ref=e1]\n  - button "Save" [ref=e8]' });
  await followPlan(agent, failed([look, click]));
  assert.deepEqual(agent.heard.at(-1), 'browser_click {"ref":"e8"}');
});

test("it stops if no element has the role and name, and at a step that only a reader can take", async () => {
  const blind = answering({ browser_snapshot: '- button "Other" [ref=e1]' });
  assert.match((await followPlan(blind, failed([look, click]))).stopped ?? "", /^nothing is the button Save/);
  const asked = answering({});
  const { calls, stopped } = await followPlan(asked, failed([look, { text: "Choose one" }, look]));
  assert.deepEqual([calls, stopped], [1, "Choose one"]);
});

test("it follows a failed step's plan, then goes on, and gives up an endless plan", async () => {
  const again: Step = { text: "Again", tool: "browser_find", arguments: {} };
  const once = answering({}, [failed([again])]);
  await followPlan(once, failed([look, look]));
  assert.deepEqual(once.heard, ["browser_snapshot {}", "browser_find {}", "browser_snapshot {}"]);
  const never = answering({}, Array(99).fill(failed([look])));
  assert.equal((await followPlan(never, failed([look]))).stopped, "8 calls were not enough");
});

test("an agent without a plan takes one snapshot in the same place and repeats its call", async () => {
  const agent = answering({});
  await repeatAfterLook(agent, failed([look]), "browser_click", { ref: "e5", role: "admin", tab: "t2" });
  assert.deepEqual(agent.heard, [
    'browser_snapshot {"role":"admin","tab":"t2"}',
    'browser_click {"ref":"e5","role":"admin","tab":"t2"}',
  ]);
});

test("an agent without a plan replaces a refused value by one that the message names", () => {
  for (const [args, message, read] of [
    [{ role: "custmer" }, "Unknown role: custmer. The roles are visitor, customer.", { role: "customer" }],
    [{ tab: "t9" }, "Unknown tab: t9. Open tabs: t1.", { tab: "t1" }],
    [{ tab: "t9" }, "Unknown tab: t9. Open tabs: t1, t2.", { tab: "t9" }],
    [{ button: "rigth" }, 'button must be one of left, right, not "rigth"', { button: "right" }],
    [{ time: 600 }, "time is 600; allowed is at most 28", { time: 28 }],
    [{ ref: "e5" }, 'Element e5 (button "Save") was removed from DOM.', { ref: "e5" }],
  ] as const)
    assert.deepEqual(asMessageSays(args, message), read, message);
});

function failed(steps: Step[], more: object = {}): Heard {
  return { text: "failed", isError: true, error: { ...error, steps, ...more } };
}

/** Answers by tool. Before that, it gives the replies in turn. */
function answering(texts: Record<string, string>, first: Heard[] = []) {
  const heard: string[] = [];
  return {
    heard,
    call: async (tool: string, args: JsonObject = {}): Promise<Heard> => {
      heard.push(`${tool} ${JSON.stringify(args)}`);
      return first.shift() ?? { text: texts[tool] ?? "done", isError: false, error: undefined };
    },
  };
}
