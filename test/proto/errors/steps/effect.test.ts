import assert from "node:assert/strict";
import { test } from "node:test";
import { detailOf, type ErrorDetail, fail } from "../../../../proto/errors/catalogue.ts";
import { toolsOf } from "../../../../proto/tools/read-tools.ts";
import type { JsonObject } from "../../../../proto/wire/struct.ts";
import { failedCall } from "../../cases.ts";

const CALLS: [tool: string, args: JsonObject, ends: "again" | "words"][] = [
  ["browser_snapshot", {}, "again"],
  ["browser_snapshot", { ref: "e5" }, "words"],
  ["browser_wait_for", { text: "Done" }, "again"],
  ["browser_wait_for", { ref: "e5", state: "hidden" }, "words"],
  ["browser_take_screenshot", { ref: "e5" }, "words"],
  ["resolve_container", { ref: "e5" }, "words"],
  ["browser_navigate", { url: "https://shop.example/" }, "again"],
  ["browser_tabs", { action: "new" }, "again"],
  ["browser_click", { ref: "e5" }, "words"],
  ["browser_press_key", { key: "Enter" }, "words"],
  ["browser_scroll", { direction: "down" }, "words"],
  ["browser_type", { text: "tea" }, "words"],
  ["browser_navigate_back", {}, "words"],
  ["browser_handle_dialog", { accept: true }, "words"],
  ["browser_steps", { steps: [{ click: { ref: "e5" } }] }, "words"],
];

for (const [tool, args, ends] of CALLS) {
  const call = { ...failedCall, tool, arguments: args };
  const restarted = fail("WORKER_RESTARTED", { role: "customer", reason: "it was killed", effect: "none" });

  test(`after a crash, ${tool}${JSON.stringify(args)} ends in ${ends === "again" ? "the call once more" : "words: what it depends on is lost"}`, () => {
    assert.equal(lastOf(detailOf(restarted, call, 0)), ends);
  });
}

test("a tool without an element needs no lost state, or its plan says what is lost", () => {
  const judged = new Set(CALLS.map(([tool]) => tool));
  const unjudged = toolsOf("core").filter(
    (tool) => !tool.readOnly && !tool.answeredByDaemon && !judged.has(tool.name),
  );
  for (const { name, arguments: known } of unjudged)
    assert.ok(
      known.some((each) => each.name === "ref" && each.required),
      name,
    );
});

test("after a fresher login, a read of an element of the earlier page is not simply repeated", () => {
  const expired = { role: "customer", authPath: "auth.json", reason: "gone", reloaded: true } as const;
  const call = { ...failedCall, tool: "browser_wait_for", arguments: { ref: "e5", state: "hidden" } };
  assert.equal(lastOf(detailOf(fail("AUTHENTICATION_EXPIRED", expired), call, 0)), "words");
  const element = { ref: "e5", role: "button", name: "Save", tag: "button" };
  const found = { ...expired, element, candidates: [{ ref: "e2", role: "button", name: "Save" }] };
  const { steps } = detailOf(fail("AUTHENTICATION_EXPIRED", found), call, 0);
  assert.deepEqual(steps.at(-1)?.arguments, { ref: "$candidate", state: "hidden" });
});

function lastOf({ steps }: ErrorDetail): "again" | "words" {
  return steps.at(-1)?.tool === undefined ? "words" : "again";
}
