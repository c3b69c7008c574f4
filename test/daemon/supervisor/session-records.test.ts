import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { SessionRecords } from "../../../daemon/supervisor/session-records.ts";
import type { SessionRecord } from "../../../proto/gen/troupe.ts";

/** The records of a role after the daemon's restart, with the stored state of one session. */
function recordsOf(kept: SessionRecord): SessionRecords {
  const keeper = {
    keepTabs: () => true,
    keepParts: () => true,
    tabsOf: () => [structuredClone(kept)],
    partsOf: () => [],
    forget: () => undefined,
    forgetShared: () => undefined,
  };
  return new SessionRecords("one", keeper, pino({ level: "silent" }));
}

const kept: SessionRecord = {
  key: "local/a",
  tabs: [],
  nextTab: 1,
  typed: [{ tab: "t1", field: `textbox "Amount"` }],
  lostByRest: [],
};

test("lost typed text is reported to the restored session, and to no new one of its name", () => {
  const { lostInput } = recordsOf(kept);
  assert.equal(lostInput.reasonFor("local/a"), undefined);
  const records = recordsOf(kept);
  records.returned("local/a");
  assert.deepEqual(records.lostInput.reasonFor("local/a"), { reason: "the daemon was started again" });
  assert.deepEqual(records.lostInput.report("local/a"), { lost: [`textbox "Amount"`], other: [] });
});

test("a loss by hibernation is reported as such, even by the next daemon", () => {
  const lost = ["the open dialog (confirm)", `textbox "Amount"`];
  const records = recordsOf({ ...kept, lostByRest: lost });
  records.returned("local/a");
  assert.equal(records.lostInput.reasonFor("local/a")?.rested, true);
  assert.deepEqual(records.lostInput.report("local/a"), { lost, other: ["the open dialog (confirm)"] });
});
