import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { WORKER_TIMES } from "../../../daemon/worker-process/worker-times.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { reaches, reported, role, workerState } from "../../harness/role-states.ts";
import { LINES } from "../../harness/stand-in/state.ts";
import { tempDir } from "../../harness/temp-dir.ts";

test("after kill -9 of a worker its sessions get one error, and other roles notice nothing", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } });
  await troupe.open("http://idle.test/", { session: "idle" });
  await troupe.open("http://two.test/", { session: "other", role: "two" });
  const { pid } = await workerState(troupe, { session: "busy" });
  const inFlight = troupe.open("http://do/hang", { session: "busy" });
  await troupe.holds("busy");
  process.kill(pid, "SIGKILL");

  const failed = (await inFlight).error;
  assert.equal(failed?.type, "WORKER_RESTARTED");
  assert.deepEqual(failed.details, {
    role: "one",
    reason: "its process was ended by SIGKILL",
    effect: "unknown",
  });
  assert.equal((await troupe.open("http://b.test/", { session: "busy" })).ok, "opened http://b.test/");

  const told = (await troupe.open("http://c.test/", { session: "idle" })).error;
  assert.deepEqual([told?.type, told?.details.effect], ["WORKER_RESTARTED", "none"]);
  assert.equal((await troupe.open("http://c.test/", { session: "idle" })).ok, "opened http://c.test/");
  assert.equal(
    (await troupe.open("http://two.test/", { session: "other", role: "two" })).ok,
    "opened http://two.test/",
  );
  assert.equal((await role(troupe, "one")).restarts, 1);
  assert.equal((await role(troupe, "two")).restarts, 0);
});

test("sessions are restored in the new worker with their tabs", async () => {
  await using troupe = await testDaemon();
  await troupe.open("http://kept.test/", { session: "kept" });
  const { pid } = await workerState(troupe, { session: "kept" });
  process.kill(pid, "SIGKILL");
  assert.equal((await troupe.open("http://do/state", { session: "kept" })).error?.type, "WORKER_RESTARTED");
  const { restored } = await workerState(troupe, { session: "kept" });
  assert.deepEqual(
    restored.map(({ key, tabs }) => [key, tabs[0]?.url]),
    [["local/kept", "http://kept.test/"]],
  );
});

test("a session's calls fail until the worker has its storage", async () => {
  using temp = tempDir();
  const refused = path.join(temp.dir, "refused");
  const args = [`--refuse-storage-while=${refused}`];
  await using troupe = await testDaemon({ roles: { one: { browser: { args } } } });
  await troupe.open("http://do/store");
  await reported(troupe, "one");
  writeFileSync(refused, "");
  process.kill((await workerState(troupe, { session: "other" })).pid, "SIGKILL");
  assert.equal((await troupe.open("http://a.test/")).error?.type, "WORKER_RESTARTED");
  for (const _ of ["once", "again"]) {
    const { error } = await troupe.open("http://a.test/");
    assert.deepEqual([error?.type, error?.recoverable], ["WORKER_UNAVAILABLE", true]);
  }
  rmSync(refused);
  const { ok = "{}" } = await troupe.open("http://do/state");
  const { given } = JSON.parse(ok) as { given: { key: string; parts: string[] }[] };
  assert.deepEqual(
    given.map(({ key, parts }) => [key, parts]),
    [["local/s1", ["stored"]]],
  );
});

test("a session that was closed is not restored", async () => {
  await using troupe = await testDaemon();
  await troupe.open("http://a.test/", { session: "closed" });
  await troupe.ask("CloseSession", { session: "closed" });
  const { pid } = await workerState(troupe, { session: "other" });
  process.kill(pid, "SIGKILL");
  await troupe.open("http://do/state", { session: "other" });
  assert.deepEqual((await workerState(troupe, { session: "other" })).restored, []);
});

test("sessions that end before their new worker is ready end in it, even if one fails", async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "go");
  writeFileSync(file, "");
  const args = [`--start-when=${file}`];
  await using troupe = await testDaemon({ roles: { a: { browser: { args } } } });
  for (const session of ["unendable", "b"]) await troupe.open("http://a.test/", { session });
  const { pid } = await workerState(troupe);
  rmSync(file);
  process.kill(pid, "SIGKILL");
  await troupe.logged(LINES.starting, 2);
  for (const session of ["unendable", "b"]) await troupe.ask("CloseSession", { session });
  writeFileSync(file, "");
  await reaches(troupe, "a", "ROLE_STATE_READY");
  await troupe.logged(/a worker did not end a session/);
  const { ok = "{}" } = await troupe.open("http://do/state", { session: "c" });
  assert.deepEqual(JSON.parse(ok).ended.toSorted(), ["local/b", "local/unendable"]);
});

test("while a worker drains for the next one, only the call's end ends its wait", async () => {
  await using troupe = await testDaemon({ limits: { queueWait: "100ms" }, roles: { a: {} } });
  const { pid } = await workerState(troupe);
  const hung = troupe.open("http://do/hang", { session: "busy", deadlineMs: 2000 });
  await troupe.holds("busy");
  const restarted = troupe.ask("RestartRole", { name: "a" });
  await reaches(troupe, "a", "ROLE_STATE_DRAINING");
  const { ok = "{}", error } = await troupe.open("http://do/state", { session: "other" });
  assert.equal(error, undefined);
  assert.notEqual(JSON.parse(ok).pid, pid);
  assert.equal((await hung).error?.type, "TIMEOUT");
  assert.ok((await restarted).ok);
});

test("a hanging worker is killed and reported as hung", async () => {
  const times = { ...WORKER_TIMES, heartbeatMs: 100, heartbeatsMissedMax: 5 };
  await using troupe = await testDaemon({}, { times });
  const { error } = await troupe.open("http://do/block");
  assert.deepEqual(
    [error?.type, error?.details.reason],
    ["WORKER_RESTARTED", "it gave no sign of life for 0.5 s"],
  );
  const { ok } = await troupe.tool("GetFailures", {});
  assert.match(ok?.text ?? "", /^- \d{4}-\d\d-\d\d \d\d:\d\d:\d\d worker-hung: it gave no sign of life/m);
});

test("the end of a browser is reported as the reason", async () => {
  await using troupe = await testDaemon();
  const { error } = await troupe.open("http://do/lose-browser");
  assert.deepEqual(
    [error?.type, error?.details.reason],
    ["WORKER_RESTARTED", "its browser is gone: told to"],
  );
  const incidents = (await troupe.ask("GetFailures", { role: "default" })).ok?.failures?.incidents;
  assert.deepEqual(
    incidents?.map(({ kind }) => kind),
    ["browser-crashed"],
  );
});

test("a worker's recorded failures outlive it, until they are cleared", async () => {
  await using troupe = await testDaemon();
  assert.match(
    (await troupe.tool("GetFailures", {})).ok?.text ?? "",
    /^No failures recorded for role default$/,
  );
  await troupe.open("http://do/record-failure");
  await reported(troupe, "default");
  assert.match((await troupe.tool("GetFailures", {})).ok?.text ?? "", /context: told to/);
  process.kill((await workerState(troupe)).pid, "SIGKILL");
  await troupe.open("http://do/state");
  await troupe.open("http://do/state");
  assert.match(
    (await troupe.tool("GetFailures", {})).ok?.text ?? "",
    /worker-crashed: .*SIGKILL[\s\S]*context: told to/,
  );
  await troupe.ask("ClearFailures", { role: "default" });
  assert.match((await troupe.tool("GetFailures", {})).ok?.text ?? "", /^No failures/);
});

test("a session clears the failures of the role that it names; an unknown role is an error", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } });
  const told = async (role: string) => (await troupe.tool("GetFailures", { role })).ok?.text ?? "";
  for (const role of ["one", "two"]) {
    await troupe.open("http://do/record-failure", { role });
    await reported(troupe, role);
    assert.match(await told(role), /context: told to/);
  }
  const { ok } = await troupe.tool("ClearFailures", { role: "two" });
  assert.equal(ok?.text, "The failures of role two are cleared.");
  assert.match(await told("two"), /^No failures/);
  assert.match(await told("one"), /context: told to/);
  const { error } = await troupe.tool("ClearFailures", { role: "tow" });
  assert.deepEqual([error?.type, error?.details.nearest], ["UNKNOWN_ROLE", "two"]);
});

test("an operator's restart waits for calls under way, restores the sessions and is no crash", async () => {
  await using troupe = await testDaemon({ limits: { drain: "20s" } });
  await troupe.open("http://a.test/");
  const { pid } = await workerState(troupe);
  const hung = troupe.open("http://do/hang", { session: "other", deadlineMs: 700 });
  await troupe.holds("other");
  const restarted = await troupe.ask("RestartRole", { name: "default" });
  assert.equal((await hung).error?.type, "TIMEOUT");
  assert.equal(restarted.ok?.role?.state, "ROLE_STATE_READY");
  const now = await workerState(troupe);
  assert.notEqual(now.pid, pid);
  assert.deepEqual(
    now.restored.map(({ key }) => key),
    ["local/s1"],
  );
});

test("an eager role starts with the daemon, any other with its first call", async () => {
  await using troupe = await testDaemon({ roles: { eager: { eager: true }, lazy: {} } });
  await reaches(troupe, "eager", "ROLE_STATE_READY");
  assert.equal((await role(troupe, "lazy")).state, "ROLE_STATE_STOPPED");
  const { status } = await fetch(`${troupe.daemon.http[0]}/readyz`);
  assert.equal(status, 200);
});

test("a killed or ended worker leaves nothing behind", async () => {
  const tmpDirs: string[] = [];
  let stateDir: string;
  {
    await using troupe = await testDaemon();
    stateDir = troupe.config.state.dir;
    const { pid } = await workerState(troupe);
    const traces = () => JSON.parse(readRecord(stateDir)) as { socket: string; tmpDir: string }[];
    const [first] = traces();
    assert.ok(first && existsSync(first.socket) && existsSync(first.tmpDir));
    process.kill(pid, "SIGKILL");
    await troupe.logged("a worker died");
    assert.ok(!existsSync(first.socket) && !existsSync(first.tmpDir));
    await troupe.open("http://do/state");
    await troupe.open("http://do/state");
    tmpDirs.push(...traces().map(({ tmpDir }) => tmpDir));
    assert.equal(tmpDirs.length, 1);
    await troupe.daemon[Symbol.asyncDispose]();
    assert.deepEqual(
      readdirSync(stateDir).filter((name) => name.endsWith(".sock")),
      [],
    );
  }
  assert.ok(tmpDirs.every((dir) => !existsSync(dir)));
});

function readRecord(stateDir: string): string {
  return readFileSync(`${stateDir}/workers.json`, "utf8");
}

test("a worker gets the environment that it needs, and none of the daemon's secrets", async () => {
  const env = {
    ...process.env,
    TROUPE_TOKEN: "secret",
    AWS_SECRET_ACCESS_KEY: "secret",
    LANG: "de_DE.UTF-8",
    TROUPE_BROWSER: "/opt/chrome",
  };
  await using troupe = await testDaemon({}, { env });
  const got = JSON.parse((await troupe.open("http://do/environment")).ok ?? "{}") as Record<string, string>;
  assert.equal(got.TROUPE_STATE_DIR, troupe.config.state.dir);
  assert.deepEqual(
    [got.LANG, got.TROUPE_BROWSER, got.PATH],
    ["de_DE.UTF-8", "/opt/chrome", process.env.PATH],
  );
  assert.match(got.TMPDIR ?? "", /troupe-worker-/);
  assert.deepEqual(
    Object.values(got).filter((value) => value === "secret"),
    [],
  );
});

test("restarts are counted by the reason of the earlier worker's end", async () => {
  await using troupe = await testDaemon();
  process.kill((await workerState(troupe)).pid, "SIGKILL");
  await troupe.open("http://do/state");
  await troupe.ask("RestartRole", { name: "default" });
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  assert.match(body, /^troupe_worker_restarts_total\{role="default",reason="worker-crashed"\} 1$/m);
  assert.match(body, /^troupe_worker_restarts_total\{role="default",reason="requested"\} 1$/m);
  assert.match(body, /^troupe_worker_up\{role="default"\} 1$/m);
  assert.match(body, /^troupe_browser_info\{role="default",version="Stand-in 1.0",source="configured"\} 1$/m);
});
