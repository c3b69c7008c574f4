import assert from "node:assert/strict";
import { test } from "node:test";
import {
  nextState,
  type RoleEvent,
  type RoleInputs,
  type RoleMachineState,
} from "../../../daemon/supervisor/role-machine.ts";

const policy = { max: 2, within: 60_000, backoff: 250, cap: 30_000 };
const at = (nowMs: number): RoleInputs => ({ policy, nowMs, jitter: 1 });
const fresh: RoleMachineState = { state: "STOPPED", crashes: [] };

/** Returns a fresh role's state after these events, one a second. */
function after(...events: RoleEvent[]): RoleMachineState {
  return events.reduce((stand, event, index) => nextState(stand, event, at(1000 * (index + 1))), fresh);
}

const needed: RoleEvent = { event: "needed" };
const started: RoleEvent = { event: "started" };
const died: RoleEvent = { event: "died", reason: "killed" };
const lost: RoleEvent = { event: "disconnected", reason: "closed" };
const restart: RoleEvent = { event: "endAsked", next: "STARTING" };
const stop: RoleEvent = { event: "endAsked", next: "STOPPED" };

const table: [what: string, events: RoleEvent[], state: RoleMachineState["state"]][] = [
  ["a role that nobody needs is stopped", [], "STOPPED"],
  ["a role that is needed starts", [needed], "STARTING"],
  ["a role that has started is ready", [needed, started], "READY"],
  ["a ready role that is needed stays ready", [needed, started, needed], "READY"],
  ["a worker that dies is started again at once", [needed, started, died], "STARTING"],
  ["a second death backs off", [needed, started, died, started, died], "BACKING_OFF"],
  ["a start that dies backs off like any", [needed, died, died], "BACKING_OFF"],
  ["a back-off that is over starts", [needed, died, died, { event: "retryDue" }], "STARTING"],
  ["a back-off is not cut short by need", [needed, died, died, needed], "BACKING_OFF"],
  ["too many deaths fail the role", [needed, died, died, { event: "retryDue" }, died], "FAILED"],
  ["a role whose browser is gone waits for the next call", [needed, started, lost], "STOPPED"],
  [
    "a browser that goes again and again does not fail its role",
    [needed, started, lost, needed, started, lost, needed, started, lost, needed],
    "STARTING",
  ],
  [
    "a failed role is not started by need",
    [needed, died, died, { event: "retryDue" }, died, needed],
    "FAILED",
  ],
  [
    "a failed role is tried again when its probe is due",
    [needed, died, died, { event: "retryDue" }, died, { event: "retryDue" }],
    "STARTING",
  ],
  [
    "a probe that dies fails the role again at once",
    [needed, died, died, { event: "retryDue" }, died, { event: "retryDue" }, died],
    "FAILED",
  ],
  [
    "a probe that succeeds brings the role back, with its whole budget",
    [needed, died, died, { event: "retryDue" }, died, { event: "retryDue" }, started],
    "READY",
  ],
  [
    "an operator's restart starts a failed role",
    [needed, died, died, { event: "retryDue" }, died, restart],
    "STARTING",
  ],
  [
    "a login that fails waits for the next call",
    [needed, { event: "startFailed", reason: "no file", lasting: false }],
    "STOPPED",
  ],
  [
    "a missing browser waits for the operator",
    [needed, { event: "startFailed", reason: "none", lasting: true }],
    "FAILED",
  ],
  ["a restart drains first", [needed, started, restart], "DRAINING"],
  ["a drained role starts again", [needed, started, restart, { event: "ended" }], "STARTING"],
  ["a death while draining is no crash", [needed, started, restart, died], "DRAINING"],
  ["the end beats a restart", [needed, started, restart, stop, { event: "ended" }], "STOPPED"],
  ["a restart does not undo the end", [needed, started, stop, restart, { event: "ended" }], "STOPPED"],
  ["a stopped role ends as it is", [stop], "STOPPED"],
  [
    "a start that comes too late changes nothing",
    [needed, started, stop, { event: "ended" }, started],
    "STOPPED",
  ],
];

for (const [what, events, state] of table) {
  test(what, () => assert.equal(after(...events).state, state));
}

test("a backoff has its end and its reason", () => {
  const stand = after(needed, died, died);
  assert.deepEqual(stand, { state: "BACKING_OFF", reason: "killed", retryAtMs: 3250, crashes: [2000, 3000] });
});

test("a worker that dies 15 s after each start restarts ever more rarely, until one is well", () => {
  const slowly = { policy: { ...policy, max: 5 }, jitter: 1 };
  let nowMs = 0;
  let stand = nextState(fresh, needed, { ...slowly, nowMs });
  const diesAfter = (workedMs: number) => {
    stand = nextState(stand, started, { ...slowly, nowMs });
    nowMs += workedMs;
    stand = nextState(stand, died, { ...slowly, nowMs });
    const waitMs = stand.state === "BACKING_OFF" ? stand.retryAtMs - nowMs : 0;
    nowMs += waitMs;
    if (waitMs > 0) stand = nextState(stand, { event: "retryDue" }, { ...slowly, nowMs });
    return waitMs;
  };
  const waits = Array.from({ length: 11 }, () => diesAfter(15_000));
  assert.deepEqual(waits, [0, 250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  assert.equal(diesAfter(599_999), 30_000);
  assert.deepEqual([diesAfter(600_000), diesAfter(15_000)], [0, 250]);
});

test("a failed role has the number of deaths and the last reason", () => {
  const stand = after(needed, died, died, { event: "retryDue" }, died);
  assert.equal(
    stand.state === "FAILED" && stand.reason,
    "its worker died 3 times within 60 s; the last time: killed",
  );
});

test("each failed probe is followed by a longer wait", () => {
  const none: RoleEvent = { event: "startFailed", reason: "no browser", lasting: true, mend: "install one" };
  const probe: RoleEvent = { event: "retryDue" };
  const stands = [
    after(needed, none),
    after(needed, none, probe, none),
    after(needed, none, probe, none, probe, none),
  ];
  assert.deepEqual(
    stands.map((stand) => stand.state === "FAILED" && [stand.probes, stand.retryAtMs, stand.mend]),
    [
      [0, 2000 + 30_000, "install one"],
      [1, 4000 + 60_000, "install one"],
      [2, 6000 + 120_000, "install one"],
    ],
  );
});

test("a probe that dies soon counts as failed; one that lasts clears the earlier probes", () => {
  const none: RoleEvent = { event: "startFailed", reason: "no browser", lasting: true };
  const probing = after(needed, none, { event: "retryDue" }, started);
  assert.equal(probing.state, "READY");
  const soon = nextState(probing, died, at(4000 + policy.within - 1));
  assert.deepEqual(soon.state === "FAILED" && [soon.probes, soon.reason], [1, "killed"]);
  assert.equal(soon.state === "FAILED" && soon.retryAtMs, 4000 + policy.within - 1 + 60_000);
  assert.equal(nextState(probing, died, at(4000 + policy.within)).state, "STARTING");
});

test("an operator's restart clears the earlier crashes", () => {
  const stand = after(needed, died, died, restart);
  assert.deepEqual(stand.crashes, []);
});

test("an event without effect returns the same state object", () => {
  const stand = after(needed, started);
  assert.equal(nextState(stand, { event: "retryDue" }, at(9000)), stand);
});
