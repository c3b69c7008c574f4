// The units of systemd, held to systemd's own checks.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DAEMON_ARGUMENTS } from "../../../proto/machine/daemon-arguments.ts";

const run = promisify(execFile);
const unit = (name: string) => fileURLToPath(new URL(`../../../deploy/systemd/${name}`, import.meta.url));
const UNITS = [unit("troupe.service"), unit("troupe.socket")];
/** In tenths: 0 is no exposure, 100 is full exposure. systemd calls up to 40 fair. */
const EXPOSURE_MAX = 30;
const skip =
  !process.env.CI &&
  !existsSync("/usr/bin/systemd-analyze") &&
  "systemd-analyze is not installed (apt-get install systemd)";

test("systemd finds no fault in the units", { skip }, async () => {
  const { stdout, stderr } = await run("systemd-analyze", ["verify", ...UNITS]);
  assert.equal(stdout + stderr, "");
});

test("the service is little exposed", { skip }, async () => {
  const args = ["security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, unit("troupe.service")];
  const { stdout } = await run("systemd-analyze", args, { env: { ...process.env, SYSTEMD_COLORS: "0" } });
  assert.match(stdout, /Overall exposure level for troupe\.service: \d\.\d/);
});

test("the service gives Node the arguments of `troupe daemon`, and what Chrome's sandbox needs", () => {
  const text = readFileSync(unit("troupe.service"), "utf8");
  const command = /^ExecStart=(.*\\\n.*)$/m.exec(text)?.[1] ?? "";
  for (const argument of DAEMON_ARGUMENTS) assert.ok(command.includes(` ${argument} `), argument);
  assert.match(text, /^RestrictNamespaces=user pid net$/m);
  assert.doesNotMatch(text, /^MemoryDenyWriteExecute=/m);
});
