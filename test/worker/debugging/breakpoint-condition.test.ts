// Tests the conditions that Chrome evaluates at a breakpoint.
import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionOf } from "../../../worker/debugging/breakpoint-condition.ts";

test("a logpoint logs its texts and expressions and never pauses", () => {
  const asked = { id: "b1", url: "a", line: 1 };
  const log = conditionOf({ ...asked, condition: "", logMessage: 'a "{b // c}" {d}' });
  const logged: unknown[] = [];
  const run = new Function("console", "b", "d", `return ${log}`);
  assert.equal(run({ log: (...args: unknown[]) => logged.push(...args) }, 1, 2), false);
  assert.deepEqual(logged, ['a "', 1, '"', 2]);
  assert.equal(conditionOf({ ...asked, condition: "x > 1", logMessage: "" }), "x > 1");
});
