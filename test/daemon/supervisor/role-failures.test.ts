import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { NO_FAILURES } from "../../../daemon/supervisor/failure-history.ts";
import { type FailureKeeper, RoleFailures } from "../../../daemon/supervisor/role-failures.ts";
import type { FailureLog } from "../../../proto/gen/troupe.ts";
import { fakeClock } from "../../harness/fake-clock.ts";

/** Stores failures as a journal does. */
function memory(): FailureKeeper {
  const kept = new Map<string, FailureLog>();
  return {
    failuresOf: (role) => kept.get(role),
    failed: (role, log) => void kept.set(role, log),
    failuresElsewhere: async () => NO_FAILURES,
    clearElsewhere: async () => undefined,
  };
}

const parts = (journal: FailureKeeper) => ({
  role: "shop",
  worker: () => undefined,
  journal,
  clock: fakeClock(),
  log: pino({ level: "silent" }),
});

test("failures outlive the daemon, and concern no current document", async () => {
  const journal = memory();
  const timestamp = { seconds: 1, nanos: 0 };
  const frame = {
    frameId: "f1",
    error: "gone",
    reason: "detached",
    isMainFrame: false,
    timestamp,
    url: "",
    current: true,
    session: "ci/s",
  };
  const before = new RoleFailures(parts(journal));
  before.add({
    kind: "frame_injection",
    reason: "detached",
    entry: { ...NO_FAILURES, frameInjectionFailures: [frame] },
  });
  const after = await new RoleFailures(parts(journal)).read();
  assert.deepEqual(after.frameInjectionFailures, [{ ...frame, current: false }]);
  await before.forget();
  assert.deepEqual(await new RoleFailures(parts(journal)).read(), NO_FAILURES);
});

test("a login failure stays until the next worker's start; other failures stay longer", async () => {
  const failures = new RoleFailures(parts(memory()));
  const timestamp = { seconds: 1, nanos: 0 };
  failures.add({
    kind: "auth_load",
    reason: "",
    entry: { ...NO_FAILURES, authLoadError: { error: "no file", authPath: "a.json", timestamp } },
  });
  failures.workerGone({ kind: "worker-crashed", reason: "told to" });
  assert.equal((await failures.read()).authLoadError?.error, "no file");
  failures.loginWorks();
  const after = await failures.read();
  assert.equal(after.authLoadError, null);
  assert.equal(after.incidents.length, 1);
});

test("one session's failures stay, however often another one's pages fail", async () => {
  const failures = new RoleFailures(parts(memory()));
  const incident = (session: string, seconds: number) => ({
    kind: "page-crashed",
    error: `Page ${seconds}.`,
    session,
    timestamp: { seconds, nanos: 0 },
  });
  const add = (session: string, seconds: number) =>
    failures.add({
      kind: "incident",
      reason: "page-crashed",
      entry: { ...NO_FAILURES, incidents: [incident(session, seconds)] },
    });
  add("local/quiet", 1);
  for (let seconds = 2; seconds < 300; seconds++) add("local/loud", seconds);
  const { incidents } = await failures.read();
  assert.deepEqual(incidents[0], incident("local/quiet", 1));
  assert.equal(incidents.length, 100);
});
