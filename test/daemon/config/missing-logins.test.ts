import assert from "node:assert/strict";
import { test } from "node:test";
import { missingLogins } from "../../../daemon/config/missing-logins.ts";

test("a login's file that is not there is warned of, with what makes one", () => {
  const there = { name: "a", auth: { file: import.meta.filename, shown: "a.json" } };
  const gone = { name: "b", auth: { file: "/nowhere/b.json", shown: "auth/b.json" } };
  assert.deepEqual(missingLogins([there, gone, { name: "c" }]), [
    "role b: its login auth/b.json is not there; troupe login b makes one",
  ]);
});
