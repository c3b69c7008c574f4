import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { loginWarnings } from "../../../daemon/config/login-warnings.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const NOW = Date.UTC(2026, 10, 21);

test("a missing login file causes a warning with the command that makes one", () => {
  const there = { name: "a", auth: { file: import.meta.filename, shown: "a.json" } };
  const gone = { name: "b", auth: { file: "/nowhere/b.json", shown: "auth/b.json" } };
  assert.deepEqual(loginWarnings([there, gone, { name: "c" }], NOW), [
    "role b: its login auth/b.json is not there; troupe login b makes one",
  ]);
});

test("a login expired by its cookies' dates causes a warning; a usable or unreadable one does not", () => {
  using temp = tempDir();
  const role = (name: string, content: unknown) => {
    const file = path.join(temp.dir, `${name}.json`);
    writeFileSync(file, JSON.stringify(content));
    return { name, auth: { file, shown: `${name}.json` } };
  };
  const cookie = { name: "sid", httpOnly: true };
  const roles = [
    role("old", { cookies: [{ ...cookie, expires: NOW / 1000 - 60 }] }),
    role("new", { cookies: [{ ...cookie, expires: NOW / 1000 + 60 }] }),
    role("odd", { cookies: 5, origins: [null] }),
    role("null", null),
  ];
  assert.deepEqual(loginWarnings(roles, NOW), [
    "role old: its login old.json has expired: its last cookie ended at 2026-11-20T23:59:00.000Z; troupe login old makes one",
  ]);
});
