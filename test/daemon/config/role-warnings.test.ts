import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { roleTable } from "../../../client/cli/terminal/role-table.ts";
import { roleWarnings } from "../../../daemon/config/role-warnings.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const NOW = Date.UTC(2026, 10, 21);

test("a missing login file causes a warning with the command that makes one", () => {
  const there = { name: "a", auth: { file: import.meta.filename, shown: "a.json" } };
  const gone = { name: "b", auth: { file: "/nowhere/b.json", shown: "auth/b.json" } };
  assert.deepEqual(roleWarnings([there, gone, { name: "c" }], NOW), [
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
  assert.deepEqual(roleWarnings(roles, NOW), [
    "role old: its login old.json has expired: its last cookie ended at 2026-11-20T23:59:00.000Z; troupe login old makes one",
  ]);
});

test("credentials that cannot be typed, or that others may read, cause warnings without their values", () => {
  using temp = tempDir();
  const fileOf = (name: string, text: string, mode = 0o600) => {
    const file = path.join(temp.dir, name);
    writeFileSync(file, text);
    chmodSync(file, mode);
    return { path: file, shown: `secrets/${name}` };
  };
  const origins = ["https://shop.example"];
  const credentials = {
    fine: { file: fileOf("fine", "long-enough"), origins },
    command: { command: { words: ["op", "read"], cwd: "/" }, origins },
    open: { file: fileOf("open", "long-enough", 0o644), origins },
    short: { file: fileOf("short", "pin1\n"), origins },
    gone: { file: { path: path.join(temp.dir, "gone"), shown: "secrets/gone" }, origins },
    unset: { env: "NOT_SET", origins },
    seed: { totp: { file: fileOf("seed", "no seed!") }, origins },
    unbound: { file: fileOf("unbound", "long-enough"), origins: [] },
  };
  const warnings = roleWarnings([{ name: "a", credentials }], NOW, {});
  assert.deepEqual(
    warnings.map((warning) => warning.split(". ")[0]),
    [
      "credential a.open: the file secrets/open may be read by other users",
      "credential a.short: the file secrets/short has fewer than 6 characters",
      "credential a.gone: the file secrets/gone is not there",
      "credential a.unset: the variable NOT_SET is not set",
      "credential a.seed: the seed in the file secrets/seed holds no seed: neither base32 nor an otpauth:// address",
      "credential a.unbound: it is bound to no origin, so it is never typed",
    ],
  );
  assert.doesNotMatch(warnings.join(), /pin1|long-enough/);
});

test("ListRoles and the table of roles say when a login ends", async () => {
  using temp = tempDir();
  const inDays = Math.floor(Date.now() / 1000) + 3 * 86_400 + 60;
  const file = path.join(temp.dir, "login.json");
  writeFileSync(file, JSON.stringify({ cookies: [{ name: "sid", httpOnly: true, expires: inDays }] }));
  const odd = path.join(temp.dir, "odd.json");
  writeFileSync(odd, JSON.stringify({ cookies: [{ name: "sid", httpOnly: true, expires: 1e300 }] }));
  await using daemon = await testDaemon({ roles: { a: { auth: file }, b: { auth: odd }, c: {} } });
  const { ok } = await daemon.ask("ListRoles", {});
  const [a, b, c] = ok?.roles ?? [];
  assert.equal(Number(a?.loginEnds?.seconds), inDays);
  assert.deepEqual([b?.loginEnds, c?.loginEnds], [null, null]);
  const [head = "", row = ""] = roleTable(ok?.roles ?? []).split("\n");
  assert.match(head, /LOGIN +EXPIRES/);
  assert.match(row, /^a .* in 3 d /);
});
