// A role that cannot start says which part is missing and what to do. The other roles work.
import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { startTroupe } from "../harness/troupe.ts";

test("a missing required login fails the role, and the plan names the file as configured", async () => {
  await using troupe = await startTroupe({
    roles: {
      member: { auth: "auth/missing.json", authRequired: true },
      guest: { auth: "auth/missing.json", authRequired: false },
    },
  });
  await using agent = await troupe.agent();
  const refused = await agent.call("browser_snapshot", { role: "member" });
  assert.equal(refused.error?.type, "AUTHENTICATION_FAILED");
  assert.equal(refused.error?.recoverable, false);
  assert.match(refused.text, /Auth File: auth\/missing\.json/);
  assert.ok(!refused.text.includes(troupe.dir), "no path of the host");
  const warned = await agent.text("browser_snapshot", { role: "guest" });
  assert.match(warned, /Warnings:\n- Auth failed: .*auth\/missing\.json/);
  assert.match(warned, /authStatus: unauthenticated/);
  assert.match(await agent.text("get_failures", { role: "guest" }), /auth\/missing\.json/);
  await using tidier = await troupe.agent("--profile", "full");
  const cleared = await tidier.text("clear_failures", { role: "guest" });
  assert.match(cleared, /^The failures of role guest are cleared\.[\s\S]*auth\/missing\.json/);
  assert.match(
    await agent.text("browser_snapshot", { role: "guest", full: true }),
    /authStatus: unauthenticated/,
    "what is missing still is not forgotten",
  );
  assert.ok(!(await agent.call("browser_snapshot", { role: "visitor" })).isError);
});

test("an invalid login file is reported with its fault and without its content", async () => {
  await using troupe = await startTroupe({
    roles: { member: { auth: "auth/broken.json", authRequired: true } },
  });
  await writeFile(
    path.join(troupe.dir, "auth/broken.json"),
    '{"cookies": [{"name": "sid", "value": "s3cret"',
  );
  await using agent = await troupe.agent();
  const refused = await agent.call("browser_snapshot", { role: "member" });
  assert.equal(refused.error?.type, "AUTHENTICATION_FAILED");
  assert.match(refused.text, /not JSON/);
  assert.doesNotMatch(JSON.stringify(refused), /s3cret/);
});

test("a missing browser is named, with what to do", async () => {
  await using troupe = await startTroupe({ env: { TROUPE_BROWSER: "/opt/none/chrome" } });
  await using agent = await troupe.agent();
  const refused = await agent.call("browser_snapshot");
  assert.equal(refused.error?.type, "WORKER_UNAVAILABLE");
  assert.equal(refused.error?.recoverable, false);
  assert.match(refused.text, /\/opt\/none\/chrome/);
  assert.match(refused.text, /tried again at once by: troupe restart/);
});

test("a browser that ends at once is reported with its own words", async () => {
  await using files = await startTroupe();
  const browser = path.join(files.dir, "chrome");
  await chmod(files.dir, 0o755);
  await writeFile(browser, "#!/bin/sh\necho 'cannot open display' >&2\nexit 1\n", { mode: 0o755 });
  await using troupe = await startTroupe({ env: { TROUPE_BROWSER: browser } });
  await using agent = await troupe.agent();
  const refused = await agent.call("browser_snapshot");
  assert.equal(refused.error?.type, "WORKER_UNAVAILABLE");
  assert.match(refused.text, /its browser does not start/);
});
