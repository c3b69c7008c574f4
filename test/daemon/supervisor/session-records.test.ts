import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { SessionRecords } from "../../../daemon/supervisor/session-records.ts";
import type { SessionRecord } from "../../../proto/gen/troupe.ts";

/** The records of a role after the daemon's restart, with what was kept of one session. */
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

test("what was typed is reported to the session that goes on, and to no other of its name", () => {
  const { lostInput } = recordsOf(kept);
  assert.equal(lostInput.reasonFor("local/a"), undefined);
  const records = recordsOf(kept);
  records.returned("local/a");
  assert.deepEqual(records.lostInput.reasonFor("local/a"), { reason: "the daemon was started again" });
  assert.deepEqual(records.lostInput.report("local/a"), [`textbox "Amount"`]);
});

test("what was lost by a rest is told as that, also by the next daemon", () => {
  const lost = ["the open dialog (confirm)", `textbox "Amount"`];
  const records = recordsOf({ ...kept, lostByRest: lost });
  records.returned("local/a");
  assert.equal(records.lostInput.reasonFor("local/a")?.rested, true);
  assert.deepEqual(records.lostInput.report("local/a"), lost);
});
