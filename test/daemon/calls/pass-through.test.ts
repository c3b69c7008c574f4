import assert from "node:assert/strict";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";

test("a call reaches the worker of the session's current role, and its reply comes back", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } });
  const { ok } = await troupe.open("http://a.test/");
  assert.equal(ok, "opened http://a.test/");
});
