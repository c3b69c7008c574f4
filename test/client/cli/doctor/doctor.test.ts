import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { findingsText } from "../../../../client/cli/commands/doctor.ts";
import { daemonFindings, noDaemonFinding } from "../../../../client/cli/doctor/daemon.ts";
import { runtimeFinding } from "../../../../client/cli/doctor/runtime.ts";
import type { Finding } from "../../../../proto/machine/finding.ts";
import { runCommand } from "../../../harness/program.ts";
import { tempDir } from "../../../harness/temp-dir.ts";

const DEADLINE = { timeout: 90_000 };

test("an old Node and an unsupported system are reported", () => {
  assert.equal(runtimeFinding({ node: "26.9.0", platform: "linux", arch: "x64" }).ok, true);
  assert.equal(runtimeFinding({ node: "20.1.0", platform: "linux", arch: "x64" }).ok, false);
  assert.match(runtimeFinding({ node: "26.9.0", platform: "win32", arch: "x64" }).remedy ?? "", /WSL/);
});

test("a daemon of another version, a failed role and an expired login are reported", () => {
  const role = { name: "a", state: "ROLE_STATE_FAILED", reason: "no browser", login: "expired" };
  const status = { version: "0.0.1", pid: 7, roles: [role], configProblems: ["troupe.yaml:1: wrong"] };
  const found = daemonFindings(status as never, "0.1.0");
  assert.deepEqual(
    found.map(({ check, ok }) => `${check} ${ok}`),
    ["daemon false", "daemon's configuration false", "role a false", "role a false"],
  );
  assert.equal(found.at(-1)?.remedy, "Log in anew: troupe login a");
});

test("a missing daemon is well unless one should run", () => {
  assert.equal(noDaemonFinding({ reason: "nothing listens there" }, false).ok, true);
  assert.equal(noDaemonFinding({ reason: "nothing listens there" }, true).ok, false);
});

test("each finding has its remedy below it", () => {
  const findings = [
    { check: "disk", ok: true, found: "room" },
    { check: "configuration", ok: false, found: "one\ntwo", remedy: "Mend it" },
  ];
  assert.equal(
    findingsText(findings),
    [
      "ok   disk           room",
      "BAD  configuration  one",
      "                    two",
      "                    → Mend it",
      "",
      "Not well: 1 of 2 checks.",
    ].join("\n"),
  );
});

test("the doctor checks a real machine, and its exit code is the result", DEADLINE, async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "troupe.yaml");
  const env = { XDG_STATE_HOME: temp.dir, TROUPE_ADDRESS: "" };
  writeFileSync(file, "http: off\nroles: { a: { auth: none.json } }\n");
  const { code, out, err } = await runCommand(["doctor", "--json"], { cwd: temp.dir, env });
  assert.equal(err, "");
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  assert.equal(ok, false);
  assert.equal(code, 1);
  const of = (check: string) => findings.find((each) => each.check === check);
  for (const check of [
    "runtime",
    "configuration",
    "browser",
    "sandbox",
    "fonts",
    "shared memory",
    "disk",
    "clock",
  ])
    assert.ok(of(check), check);
  assert.match(of("login of a")?.found ?? "", /none\.json is missing/);
  assert.match(of("login of a")?.remedy ?? "", /troupe login a/);
});

test("a wrong configuration is reported with its lines", DEADLINE, async () => {
  using temp = tempDir();
  writeFileSync(path.join(temp.dir, "troupe.yaml"), "rolse: {}\n");
  const { code, out } = await runCommand(["doctor"], { cwd: temp.dir, env: { XDG_STATE_HOME: temp.dir } });
  assert.equal(code, 1);
  assert.match(out, /BAD +configuration +troupe\.yaml:1: .*rolse[\s\S]*→ Mend/);
});
