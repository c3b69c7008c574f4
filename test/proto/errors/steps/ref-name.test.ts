// Tests plans of calls whose argument for an element is not named ref.
import assert from "node:assert/strict";
import { test } from "node:test";
import { detailOf, fail } from "../../../../proto/errors/catalogue.ts";
import type { Json } from "../../../../proto/wire/struct.ts";
import { failedCall } from "../../cases.ts";

const element = { role: "listitem", name: "Task", tag: "li" };
const candidates = [{ ref: "e31", role: "listitem", name: "Task" }];

test("the plan of a drag gives the new ref to the end that was stale", () => {
  for (const [name, ref] of [
    ["from", "e5"],
    ["to", "e8"],
  ] as const) {
    const call = { ...failedCall, tool: "browser_drag", arguments: { from: "@e5", to: "[ref=e8]" } };
    const { steps } = detailOf(fail("STALE_REF", { ref, ...element, candidates }), call, 0);
    assert.deepEqual(steps.at(-1)?.arguments, { ...call.arguments, [name]: "$candidate" });
    assert.match(steps.at(-1)?.text ?? "", new RegExp(`^Call browser_drag\\(.*${name}: "e31"`));
  }
});

test("the plan of a drag among several steps goes on with the others", () => {
  const steps: Json = [{ click: { ref: "e1" } }, { drag: { from: "e5", to: "e8" } }];
  const step = { at: 2, of: 2, done: 1 };
  const call = { ...failedCall, tool: "browser_steps", arguments: { steps }, step };
  const { steps: plan } = detailOf(fail("STALE_REF", { ref: "e8", ...element, candidates }), call, 0);
  assert.deepEqual(plan.at(-1)?.arguments, { steps: [{ drag: { from: "e5", to: "e31" } }] });
});
