import assert from "node:assert/strict";
import { test } from "node:test";
import { RejectionLog } from "../../../daemon/admission/rejection-log.ts";
import type { Log } from "../../../daemon/core/log.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

test("ten rejections a minute are logged, the rest count in the next line, even if the clock is set", () => {
  const clock = fakeClock();
  const lines: object[] = [];
  const log = new RejectionLog(clock, { warn: (line: object) => lines.push(line) } as unknown as Log);
  const strangers = (many: number) => {
    for (let each = 0; each < many; each++) log.tell({ requestId: "r" });
  };
  strangers(12);
  clock.set(3_600_000);
  strangers(1);
  clock.set(-7_200_000);
  strangers(1);
  assert.equal(lines.length, 10);
  clock.pass(60_000);
  strangers(2);
  assert.deepEqual(lines.slice(10), [
    { requestId: "r", outcome: "UNAUTHENTICATED", untold: 4 },
    { requestId: "r", outcome: "UNAUTHENTICATED" },
  ]);
});
