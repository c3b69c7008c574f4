import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../../worker/core/call.ts";
import { timeLeftMs } from "../../../worker/core/time-left.ts";

test("setting the clock does not change a call's remaining time", (t) => {
  const call = { deadline: performance.now() + 100_000 } as Call;
  const before = timeLeftMs(call, "frame");
  const { now } = Date;
  t.mock.method(Date, "now", () => now() + 6 * 3_600_000);
  const after = timeLeftMs(call, "frame");
  assert.ok(after > 0 && after <= before && before <= 99_500, `${before} ms, then ${after} ms`);
});
