import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoleSettings } from "../../../daemon/config/load.ts";
import { checkConfiguration } from "../../../daemon/config/read.ts";
import { workerConfig } from "../../../daemon/worker-process/worker-config.ts";

function settings(given: object): RoleSettings {
  const checked = checkConfiguration({ roles: { a: given } });
  assert.ok("configuration" in checked);
  const { roles, browser } = checked.configuration;
  assert.ok(roles.a);
  const { auth, credentials, ...role } = roles.a;
  return { ...role, name: "a", browser };
}

test("only pages of isolated sessions freeze, never those in a shared context", () => {
  const freezeAfterMs = (given: object) => workerConfig(settings(given), 30_000).freezeAfterMs;
  assert.equal(freezeAfterMs({ freezeAfter: "5m" }), 300_000);
  assert.equal(freezeAfterMs({ freezeAfter: "never" }), 0);
  assert.equal(freezeAfterMs({ freezeAfter: "5m", isolation: "role" }), 0);
});
