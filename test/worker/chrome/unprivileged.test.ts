import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { launchChrome, NO_WISHES } from "../../../worker/chrome/launch.ts";
import { otherUser } from "../../../worker/chrome/unprivileged.ts";

const ROOT = 0;
/** Any program that stands in for setpriv. */
const SETPRIV = process.execPath;

test("as root, each worker's browser runs as another user and gains no privileges", () => {
  const users = [4_711, 4_712].map((pid) => otherUser(ROOT, SETPRIV, pid));
  assert.equal(new Set(users.map((user) => user?.uid)).size, 2);
  for (const user of users) {
    assert.ok(user && user.uid >= 61_184 && user.uid < 65_520, String(user?.uid));
    assert.equal(user.gid, user.uid);
    assert.ok(user.args.includes("--no-new-privs"));
  }
});

test("for any other user, the browser runs as that same user", () => {
  assert.equal(otherUser(1_000, SETPRIV), undefined);
  assert.equal(otherUser(ROOT, "/no/setpriv"), undefined);
});

test("a browser runs as the user that it was given", { timeout: 60_000 }, async () => {
  const user = otherUser();
  const chrome = await launchChrome(NO_WISHES);
  try {
    const status = readFileSync(`/proc/${chrome.pid}/status`, "utf8");
    const fact = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
    assert.equal(fact("Uid"), user?.uid ?? process.getuid?.());
    if (user) assert.equal(fact("NoNewPrivs"), 1);
    assert.ok(await chrome.browser.newPage());
  } finally {
    await chrome.close();
  }
});
