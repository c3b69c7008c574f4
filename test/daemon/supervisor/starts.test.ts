import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { type Clock, systemClock } from "../../../daemon/core/clock.ts";
import { startFailure } from "../../../daemon/supervisor/start-failure.ts";
import { START_HOLDS_MS_MAX } from "../../../daemon/supervisor/start-queue.ts";
import { NoTemporaryFolder } from "../../../proto/machine/temporary-folder.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { called } from "../../harness/events/called.ts";
import { reaches, role } from "../../harness/role-states.ts";
import { tempDir } from "../../harness/temp-dir.ts";

test("a worker that never starts fails its role after the budget, and an operator may try again", async () => {
  const args = ["--exit-at-start"];
  await using troupe = await testDaemon({
    restart: { max: 2, backoff: "10ms", cap: "10ms" },
    roles: { broken: { browser: { args } }, fine: {} },
  });
  const { error } = await troupe.open("http://a.test/");
  assert.equal(error?.type, "WORKER_UNAVAILABLE");
  assert.equal(error.recoverable, false);
  assert.match(
    String(error.details.reason),
    /died 3 times within 60 s; the last time: its process ended with exit code 3/,
  );
  assert.equal((await troupe.open("http://a.test/", { role: "fine" })).ok, "opened http://a.test/");
  assert.equal((await troupe.ask("RestartRole", { name: "broken" })).error?.type, "WORKER_UNAVAILABLE");
  assert.equal((await role(troupe, "broken")).state, "ROLE_STATE_FAILED");
});

test("a login that cannot be loaded is the call's error, and the next call tries again", async () => {
  const login = {
    auth: "missing.json",
    authRequired: true,
    browser: { args: ["--fail-start=AUTHENTICATION_FAILED"] },
  };
  await using troupe = await testDaemon({ roles: { customer: login } });
  const { error } = await troupe.open("http://a.test/");
  assert.equal(error?.type, "AUTHENTICATION_FAILED");
  assert.equal(error.details.authPath, "missing.json");
  assert.deepEqual((await role(troupe, "customer")).state, "ROLE_STATE_STOPPED");
  assert.equal((await troupe.open("http://a.test/")).error?.type, "AUTHENTICATION_FAILED");
});

test("a login failure at the start is counted and reported, even if the role starts without it", async () => {
  await using troupe = await testDaemon({
    roles: {
      guest: { auth: "missing.json", browser: { args: ["--no-login"] } },
      member: {
        auth: "missing.json",
        authRequired: true,
        browser: { args: ["--no-login", "--fail-start=AUTHENTICATION_FAILED"] },
      },
    },
  });
  assert.equal((await troupe.open("http://a.test/", { role: "guest" })).ok, "opened http://a.test/");
  assert.equal(
    (await troupe.open("http://a.test/", { role: "member" })).error?.type,
    "AUTHENTICATION_FAILED",
  );
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  for (const name of ["guest", "member"]) {
    assert.match(body, new RegExp(`^troupe_warnings_total\\{kind="auth_load",role="${name}"\\} 1$`, "m"));
    assert.match(
      (await troupe.tool("GetFailures", { role: name })).ok?.text ?? "",
      /^Login:\n- .*missing\.json: told to$/m,
    );
  }
});

test("a missing browser fails the role at once, with a remedy", async () => {
  const args = ["--fail-start=WORKER_UNAVAILABLE", "--mend=install Chromium"];
  await using troupe = await testDaemon({ roles: { a: { browser: { args } } } });
  const { error } = await troupe.open("http://a.test/");
  assert.deepEqual(
    [error?.type, error?.details.mend, error?.recoverable],
    ["WORKER_UNAVAILABLE", "install Chromium", false],
  );
  assert.equal((await role(troupe, "a")).state, "ROLE_STATE_FAILED");
});

test("a role that was given up is tried again at times, and recovers by itself", async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "mended");
  const args = ["--fail-start=WORKER_UNAVAILABLE", "--mend=install Chromium", `--mended-by=${file}`];
  // Half a minute between two tries is a fraction of a second here.
  const hasty: Clock = {
    ...systemClock,
    after: (ms, callback) => systemClock.after(ms >= 14_000 ? ms / 100 : ms, callback),
  };
  await using troupe = await testDaemon({ roles: { a: { browser: { args } } } }, { clock: hasty });
  assert.equal((await troupe.open("http://a.test/")).error?.type, "WORKER_UNAVAILABLE");
  const failed = await reaches(troupe, "a", "ROLE_STATE_FAILED");
  assert.ok(failed.retryAt, "it is told when it is tried again");
  await troupe.logged("the role did not start", 2);
  writeFileSync(file, "");
  await reaches(troupe, "a", "ROLE_STATE_READY");
  assert.equal((await troupe.open("http://a.test/")).ok, "opened http://a.test/");
});

test("a role that backs off makes its callers wait, within the queue's bound", async () => {
  const args = ["--exit-at-start"];
  await using troupe = await testDaemon({
    limits: { queueWait: "200ms" },
    restart: { backoff: "20s", cap: "20s" },
    roles: { a: { browser: { args } } },
  });
  const { error } = await troupe.open("http://a.test/");
  assert.deepEqual([error?.type, error?.recoverable], ["WORKER_UNAVAILABLE", true]);
  assert.ok((error?.retry?.afterMs ?? 0) >= 1000);
});

test("a call waits for a slow start beyond the queue's bound, but not beyond its deadline", async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "go");
  const args = [`--start-when=${file}`];
  await using troupe = await testDaemon({
    limits: { queueWait: "100ms" },
    roles: { slow: { browser: { args } }, full: { sessions: 1 } },
  });
  const patient = troupe.open("http://a.test/", { session: "patient" });
  await reaches(troupe, "slow", "ROLE_STATE_STARTING");
  const { error } = await troupe.open("http://a.test/", { session: "hurried", deadlineMs: 3_000 });
  assert.deepEqual(
    [error?.type, error?.details.reason],
    ["WORKER_UNAVAILABLE", "its worker is being started"],
  );
  await troupe.open("http://a.test/", { role: "full", session: "holder" });
  const late = await troupe.open("http://a.test/", { role: "full", session: "late" });
  assert.equal(late.error?.type, "BUSY", "the queue's bound has passed since the patient call came");
  writeFileSync(file, "");
  assert.equal((await patient).ok, "opened http://a.test/");
});

test("a worker that cannot be spawned fails its role after the budget, not the daemon", async () => {
  const worker = { program: "/no/such/program", args: [] };
  await using troupe = await testDaemon({ restart: { max: 1, backoff: "1ms", cap: "1ms" } }, { worker });
  const { error } = await troupe.open("http://a.test/");
  assert.deepEqual([error?.type, error?.recoverable], ["WORKER_UNAVAILABLE", false]);
  assert.equal((await troupe.ask("GetStatus", {})).ok?.draining, false);
});

test("the error for a missing temporary folder names the folder and a remedy", () => {
  const failure = startFailure(new NoTemporaryFolder("no temporary folder can be made in /mnt/full"), "shop");
  assert.ok(failure.error);
  assert.equal(failure.error.type, "WORKER_UNAVAILABLE");
  assert.deepEqual(failure.event, {
    event: "startFailed",
    reason: "no temporary folder can be made in /mnt/full",
    lasting: true,
    mend: "Set TMPDIR to a folder with free space that every user may enter, and start the daemon again.",
  });
});

test("a role that a call needs starts before roles that start ahead of need", async () => {
  using temp = tempDir();
  const gate = (name: string) => path.join(temp.dir, name);
  const eager = (name: string) => ({ eager: true, browser: { args: [`--start-when=${gate(name)}`] } });
  await using troupe = await testDaemon(
    { roles: { first: eager("first"), unasked: eager("never"), asked: { eager: true } } },
    { clock: withoutStartBound, startsAtOnce: 1 },
  );
  const asked = troupe.daemon.supervisor.roles.get("asked");
  assert.ok(asked);
  const needed = called(asked.waiting, "need");
  const opened = troupe.open("http://a.test/", { role: "asked" });
  await needed;
  writeFileSync(gate("first"), "");
  assert.equal((await opened).ok, "opened http://a.test/");
  assert.equal((await role(troupe, "first")).state, "ROLE_STATE_READY");
  assert.equal((await role(troupe, "unasked")).state, "ROLE_STATE_STARTING");
});

test("a session that gets WORKER_RESTARTED finds its worker started without another call", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, other: {} } });
  await troupe.open("http://a.test/", { role: "one" });
  troupe.reload({ roles: { other: {} } });
  troupe.reload({ roles: { one: {}, other: {} } });
  assert.equal((await role(troupe, "one")).state, "ROLE_STATE_STOPPED");
  assert.equal((await troupe.open("http://a.test/", { role: "one" })).error?.type, "WORKER_RESTARTED");
  await reaches(troupe, "one", "ROLE_STATE_READY");
});

/** A start blocks the others for as long as it takes. */
const withoutStartBound: Clock = {
  ...systemClock,
  after: (ms, callback) =>
    ms === START_HOLDS_MS_MAX ? { cancel: () => undefined } : systemClock.after(ms, callback),
};
