import assert from "node:assert/strict";
import { test } from "node:test";
import { toolCall, toolNamed } from "../../../proto/calls/tool-call.ts";
import {
  detailOf,
  type ErrorDetail,
  type ErrorType,
  errorTypes,
  fail,
} from "../../../proto/errors/catalogue.ts";
import { planText } from "../../../proto/plans/plan-text.ts";
import type { JsonObject } from "../../../proto/wire/struct.ts";
import { cases, failedCall } from "../cases.ts";

/** Returns everything that an error shows, except its steps' arguments. */
function told(detail: ErrorDetail): string {
  const { steps, ...others } = detail;
  return JSON.stringify([others, planText(detail), steps.map(({ text }) => text)]);
}

for (const type of errorTypes) {
  test(`the text of ${type} does not repeat the password of an address`, () => {
    for (const url of [
      "https://ada:hunter2@shop.example/",
      `https://${"ada".repeat(400)}:hunter2@shop.example/`,
    ]) {
      const data = Object.fromEntries(
        Object.entries(cases[type]).map(([name, value]) => [name, isAddress(value) ? url : value]),
      );
      const call = { ...failedCall, tool: "browser_navigate", arguments: { url } };
      const text = told(detailOf(fail(type as ErrorType, data as never), call, 0));
      assert.doesNotMatch(text, /hunter2|ada:|adaada/);
    }
  });
}

test("a step keeps the password in its arguments, and its text leaves it out", () => {
  const step = (url: string) =>
    detailOf(
      fail("DAEMON_DRAINING", cases.DAEMON_DRAINING),
      { ...failedCall, tool: "browser_navigate", arguments: { url } },
      0,
    ).steps[0];
  for (const [url, spoken] of [
    ["https://ada:hunter2@shop.example/a@b", "https://shop.example/a@b"],
    ["ada:hunter2@shop.example", "shop.example"],
    ["http:ada:p@ss@shop.example", "http:shop.example"],
    ["https://shop.example/users/@ada", "https://shop.example/users/@ada"],
  ] as const) {
    assert.equal(step(url)?.arguments?.url, url);
    assert.ok((step(url)?.text ?? "").startsWith(`Call browser_navigate(url: "${spoken}")`), url);
  }
});

test("typed text under another argument's name is not shown, but a key's name is", () => {
  const spoken = (tool: string, args: JsonObject) => {
    try {
      toolCall(toolNamed(tool, "core"), args);
    } catch (error) {
      return told(detailOf(error as never, { ...failedCall, tool, arguments: args }, 0));
    }
    return assert.fail("nothing was refused");
  };
  assert.doesNotMatch(spoken("browser_press_key", { keys: "hunter2secret" }), /hunter2/);
  assert.doesNotMatch(spoken("browser_type", { ref: "e5", value: "hunter2secret" }), /hunter2/);
  for (const key of ["Enter", "Control+A", "ArrowDown", "F5", "Shift+Tab"])
    assert.ok(spoken("browser_press_key", { keys: key }).includes(key), key);
});

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:/.test(value);
}
