import assert from "node:assert/strict";
import { test } from "node:test";
import { settingsOf } from "../../../client/cli/commands/mcp.ts";

const none = { current: undefined, definitions: [] };
const settings = (flags: object, env: Record<string, string> = {}, roles = none) =>
  settingsOf({ flags: flags as never, env, roles });

test("flags come before the environment, and the environment before defaults", () => {
  const env = {
    TROUPE_ASK_PERSON: "1",
    TROUPE_PROFILE: "full",
    TROUPE_SESSION: "e",
    TROUPE_ROLE: "a",
    TROUPE_MAX_TOKENS: "10",
  };
  assert.deepEqual(settings({}), {
    profile: "core",
    session: undefined,
    role: undefined,
    maxTokens: undefined,
    autostart: true,
    idleExit: "30m",
    files: undefined,
    asksPerson: false,
    record: false,
  });
  const byEnvironment = settings({}, env);
  assert.deepEqual(
    [
      byEnvironment.profile,
      byEnvironment.session,
      byEnvironment.role,
      byEnvironment.maxTokens,
      byEnvironment.asksPerson,
    ],
    ["full", "e", "a", 10, true],
  );
  const flags = {
    profile: "small",
    session: "f",
    maxTokens: "20",
    autostart: false,
    idleExit: "1m",
    files: "share",
    record: true,
  };
  assert.deepEqual(settings(flags, env, { ...none, current: "b" } as never), {
    profile: "small",
    session: "f",
    role: "b",
    maxTokens: 20,
    autostart: false,
    idleExit: "1m",
    files: "share",
    asksPerson: true,
    record: true,
  });
});

test("the small profile has a small budget of its own", () => {
  assert.equal(settings({ profile: "small" }).maxTokens, 1500);
  assert.equal(settings({ profile: "small", maxTokens: "0" }).maxTokens, 0);
});

test("a setting that makes no sense is a usage error", () => {
  assert.throws(() => settings({ profile: "big" }), { exitCode: 64, message: /small, core, full, debug/ });
  assert.throws(() => settings({ session: "a b" }), { exitCode: 64 });
  assert.throws(() => settings({ session: "x".repeat(129) }), { exitCode: 64 });
  assert.throws(() => settings({ maxTokens: "many" }), { exitCode: 64 });
  assert.throws(() => settings({}, { TROUPE_PROFILE: "big" }), { exitCode: 64 });
});
