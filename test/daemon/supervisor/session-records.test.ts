import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { Losses } from "../../../daemon/supervisor/losses.ts";
import { SessionRecords } from "../../../daemon/supervisor/session-records.ts";
import type { SessionRecord } from "../../../proto/gen/troupe.ts";

/** A role's records and losses after the daemon's restart, with the stored state of one session. */
function recordsOf(kept: SessionRecord) {
  const keeper = {
    problem: undefined,
    keepParts: () => true,
    tabsOf: () => structuredClone(kept),
    partsOf: async () => [],
    committed: async () => undefined,
    forget: () => undefined,
    forgetShared: () => undefined,
  };
  const losses = new Losses();
  const role = { name: "one", slots: { holds: () => true }, losses, worker: undefined, current: undefined };
  return { records: new SessionRecords(role, { kept: keeper, log: pino({ level: "silent" }) }), losses };
}

const kept: SessionRecord = {
  key: "local/a",
  tabs: [],
  nextTab: 1,
  typed: [{ tab: "t1", field: `textbox "Amount"` }],
  lostByRest: [],
  debugger: null,
  emulated: null,
  targets: [],
};

/** A session that knows of all deaths. */
const visit = () => ({ state: "AWAKE" as const, deathsKnown: 0 });

test("lost typed text is reported to the restored session, and to no new one of its name", () => {
  assert.equal(recordsOf(kept).losses.reasonFor("local/a", visit()), undefined);
  const { records, losses } = recordsOf(kept);
  records.returned("local/a");
  assert.deepEqual(losses.reasonFor("local/a", visit()), {
    reason: "the daemon was started again",
    daemonEnded: true,
  });
  assert.deepEqual(losses.report("local/a"), { lost: [`textbox "Amount"`], other: [] });
});

test("a session of another daemon hears of that daemon's end, and not of a worker's death before", () => {
  const { losses } = recordsOf(kept);
  losses.workerDied({ kind: "worker-crashed", reason: "it crashed" }, true);
  const why = "the daemon that had the session has ended";
  assert.deepEqual(losses.reasonFor("local/a", { state: "INTERRUPTED", why }), {
    reason: why,
    daemonEnded: true,
  });
});

test("a loss by hibernation is reported as such, even by the next daemon", () => {
  const lost = ["the open dialog (confirm)", `textbox "Amount"`];
  const { records, losses } = recordsOf({ ...kept, lostByRest: lost });
  records.returned("local/a");
  assert.equal(losses.reasonFor("local/a", visit())?.rested, true);
  assert.deepEqual(losses.report("local/a"), { lost, other: ["the open dialog (confirm)"] });
});
