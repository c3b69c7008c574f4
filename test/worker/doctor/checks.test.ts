import assert from "node:assert/strict";
import { test } from "node:test";
import { browserFinding } from "../../../worker/doctor/browser.ts";
import { fontsFinding } from "../../../worker/doctor/fonts.ts";
import { sandboxFinding } from "../../../worker/doctor/sandbox.ts";
import { judged, sharedMemoryFinding } from "../../../worker/doctor/shared-memory.ts";

test("a browser that is too old gets advice to install a newer one", () => {
  const day = 86_400_000;
  const browser = { version: "Chromium 150", executable: "/c", source: "machine", builtMs: 0 };
  assert.equal(browserFinding(browser, 30 * day).ok, true);
  const old = browserFinding(browser, 400 * day);
  assert.match(old.found, /400 days old/);
  assert.match(old.remedy ?? "", /newer/);
});

const SANDBOXES: [state: string, ok: boolean, remedy: RegExp][] = [
  ["on", true, /^$/],
  ["off: the configuration says so", true, /^$/],
  ["off: this machine allows Chrome no sandbox", false, /user namespaces/],
  ["off: Chrome refuses its sandbox to root, and it cannot be run as another user here", false, /setpriv/],
];
for (const [state, ok, remedy] of SANDBOXES)
  test(`the sandbox is ${state}`, () => {
    const finding = sandboxFinding(state);
    assert.equal(finding.ok, ok);
    assert.match(finding.remedy ?? "", remedy);
  });

test("a machine without fonts is reported, but not a browser with its own fonts", async () => {
  assert.equal((await fontsFinding(["/nowhere"], false)).ok, false);
  assert.equal((await fontsFinding(["/nowhere"], true)).ok, true);
});

test("too little shared memory is reported", () => {
  assert.equal(judged("/tmp", 64).ok, false);
  assert.equal(judged("/tmp", 1024).ok, true);
});

test("a temporary folder that is missing, or cannot be written, is named as that", async () => {
  assert.match((await sharedMemoryFinding("/nowhere")).found, /^\/nowhere is missing/);
  assert.match((await sharedMemoryFinding("/proc")).found, /^\/proc cannot be written/);
  assert.match((await sharedMemoryFinding("/proc")).remedy ?? "", /TMPDIR/);
});
