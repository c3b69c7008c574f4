import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { NO_FAILURES } from "../../../daemon/supervisor/failure-history.ts";
import { RoleFailures } from "../../../daemon/supervisor/role-failures.ts";
import { fakeClock } from "../fixtures/fake-clock.ts";

test("a login that failed to load is told until the next worker tries it; what else went wrong, also after", async () => {
  const failures = new RoleFailures(() => undefined, fakeClock(), pino({ level: "silent" }));
  const timestamp = { seconds: 1, nanos: 0 };
  failures.add({
    kind: "auth_load",
    reason: "",
    entry: { ...NO_FAILURES, authLoadError: { error: "no file", authPath: "a.json", timestamp } },
  });
  failures.workerGone({ kind: "worker-crashed", reason: "told to" });
  assert.equal((await failures.read()).authLoadError?.error, "no file");
  failures.workerStarts();
  const after = await failures.read();
  assert.equal(after.authLoadError, null);
  assert.equal(after.incidents.length, 1);
});
