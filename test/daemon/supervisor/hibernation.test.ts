// Sessions that hibernate and come back, with stand-in workers: the stored, restored, reported and counted state.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";
import { workerState } from "../../harness/role-states.ts";
import { LINES } from "../../harness/stand-in/state.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const SOON = { hibernateAfter: "1s", sessions: 2 };

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

async function stateOf(troupe: Troupe, id: string): Promise<boolean | undefined> {
  const { ok } = await troupe.ask("ListSessions", {});
  return ok?.sessions.find((session) => session.id === id)?.roles[0]?.resting;
}

/** Resolves when the session hibernates for the first time. */
async function resting(troupe: Troupe, id: string): Promise<void> {
  await troupe.logged(new RegExp(`"key":"local/${id}","losses":\\d+,"msg":"a session is to rest"`));
  assert.equal(await stateOf(troupe, id), true);
}

async function given(troupe: Troupe, session: string) {
  const state = (await workerState(troupe, { session })) as unknown as {
    ended: string[];
    held: string[];
    given: { key: string; parts: string[]; session: { tabs: { url: string }[] } | null; rested: boolean }[];
  };
  return state;
}

test("an idle session ends in its worker once it is stored, and comes back with its next call", async () => {
  await using troupe = await testDaemon({ roles: { one: SOON } });
  await troupe.open("http://a.test/", { session: "a" });
  await resting(troupe, "a");
  const { ok: status } = await troupe.ask("GetStatus", {});
  assert.deepEqual([status?.sessions, status?.roles[0]?.sessions, status?.roles[0]?.resting], [1, 0, 1]);
  const { ok: listed } = await troupe.ask("ListSessions", {});
  assert.equal(listed?.sessions[0]?.roles[0]?.tabs[0]?.url, "http://a.test/", "its tabs are known meanwhile");
  const metrics = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  assert.match(metrics, /^troupe_sessions\{role="one",state="awake"\} 0$/m);
  assert.match(metrics, /^troupe_sessions\{role="one",state="resting"\} 1$/m);

  const state = await given(troupe, "a");
  assert.deepEqual(state.ended, ["local/a"]);
  assert.deepEqual(
    state.given.map(({ key, parts, session, rested }) => [key, parts, session?.tabs[0]?.url, rested]),
    [["local/a", ["of local/a"], "http://a.test/", true]],
  );
  assert.equal(await stateOf(troupe, "a"), false);
});

test("six sessions take turns in two slots, and none gets BUSY", async () => {
  await using troupe = await testDaemon({ roles: { one: SOON }, limits: { queueWait: "60s" } });
  const ids = Array.from({ length: 6 }, (_, index) => `s${index}`);
  for (const round of ["first", "second"]) {
    const opened = await Promise.all(
      ids.map((session) => troupe.open(`http://${round}.test/`, { session, deadlineMs: 60_000 })),
    );
    for (const { ok, error } of opened) assert.ok(ok, JSON.stringify(error));
  }
});

test("a session that would lose input hibernates only for a waiting one, and its loss is reported once", async () => {
  await using troupe = await testDaemon({ roles: { one: { ...SOON, sessions: 1 } } });
  await troupe.open(`http://do/type?field=${encodeURIComponent('textbox "Amount"')}`, { session: "typing" });
  assert.ok((await troupe.open("http://b.test/", { session: "waiting" })).ok);
  await resting(troupe, "waiting");
  const { error } = await troupe.open("http://a.test/", { session: "typing" });
  assert.deepEqual(
    [error?.type, error?.details],
    [
      "WORKER_RESTARTED",
      {
        role: "one",
        reason: "this session was put to rest, because another one needed its place or its daemon ended",
        effect: "none",
        lost: ['textbox "Amount"'],
        rested: true,
      },
    ],
  );
  assert.doesNotMatch(String(error?.message), /restarted/);
  assert.equal((await troupe.open("http://a.test/", { session: "typing" })).ok, "opened http://a.test/");
});

test("if all sessions are in use, BUSY says when a slot may be free", async () => {
  await using troupe = await testDaemon({
    roles: { one: { sessions: 1 } },
    limits: { queueWait: "1s" },
  });
  await troupe.open("http://a.test/", { session: "a" });
  const { error } = await troupe.open("http://b.test/", { session: "b" });
  assert.equal(error?.type, "BUSY");
  assert.ok((error?.retry?.afterMs ?? 0) > 20_000, `after ${error?.retry?.afterMs} ms`);
  assert.ok((error?.retry?.afterMs ?? 0) <= 30_000);
});

test("a session that fails to wake stays hibernated, and leaves its slot to others", async () => {
  using temp = tempDir();
  const login = path.join(temp.dir, "login");
  writeFileSync(login, "");
  const args = ["--fail-start=AUTHENTICATION_FAILED", `--mended-by=${login}`];
  await using troupe = await testDaemon({ roles: { one: { ...SOON, sessions: 1, browser: { args } } } });
  await troupe.open("http://b.test/", { session: "b" });
  await resting(troupe, "b");
  rmSync(login);
  await troupe.ask("RestartRole", { name: "one" });
  assert.equal((await troupe.open("http://b.test/", { session: "b" })).error?.type, "AUTHENTICATION_FAILED");
  const { ok: status } = await troupe.ask("GetStatus", {});
  assert.deepEqual([status?.roles[0]?.sessions, status?.roles[0]?.resting], [0, 1]);
  writeFileSync(login, "");
  assert.ok((await troupe.open("http://a.test/", { session: "a" })).ok);
});

test("a worker's death does not concern a hibernated session; an awake one gets an error", async () => {
  await using troupe = await testDaemon({ roles: { one: SOON } });
  await troupe.open("http://a.test/", { session: "resting" });
  await resting(troupe, "resting");
  const { pid } = await workerState(troupe, { session: "awake" });
  process.kill(pid, "SIGKILL");
  const told = (await troupe.open("http://b.test/", { session: "awake" })).error;
  assert.equal(told?.type, "WORKER_RESTARTED");
  const back = await given(troupe, "resting");
  assert.deepEqual(
    back.given.filter(({ key }) => key === "local/resting").map(({ rested }) => rested),
    [true],
  );
});

test("a session's end is reported once at every door, with the last address, even in hibernation", async () => {
  await using troupe = await testDaemon({ roles: { one: SOON } });
  await troupe.open("http://a.test/orders?id=5", { session: "a" });
  await resting(troupe, "a");
  await troupe.ask("CloseSession", { session: "a" });
  const { error } = await troupe.tool("Click", { ref: "e1" }, { session: "a" });
  assert.equal(error?.type, "SESSION_EXPIRED");
  assert.equal(error?.details.url, "http://a.test/orders?id=5");
  assert.deepEqual(error?.steps[0]?.arguments, { url: "http://a.test/orders?id=5" });
  assert.ok((await troupe.open("http://b.test/", { session: "a" })).ok);
  const { ok } = await troupe.ask("ListSessions", {});
  assert.equal(ok?.sessions.length, 1);
});

test("a session hibernates even if the worker does not confirm its end, and comes back from the store", async () => {
  await using troupe = await testDaemon({ roles: { one: SOON } });
  await troupe.open("http://a.test/", { session: "unendable" });
  await resting(troupe, "unendable");
  const state = await given(troupe, "unendable");
  assert.deepEqual(state.ended, ["local/unendable"]);
  assert.deepEqual(
    state.given.map(({ key, parts, rested }) => [key, parts, rested]),
    [["local/unendable", ["of local/unendable"], true]],
  );
});

test("while the disk is full, a waiting session gets the reason at once; later the idle one is stored", async () => {
  await using troupe = await testDaemon({
    roles: { one: { ...SOON, sessions: 1 } },
    limits: { queueWait: "60s" },
  });
  await troupe.open("http://a.test/", { session: "a" });
  using disk = fullDisk(troupe);
  await troupe.open("http://b.test/", { session: "a" });
  const refused = await troupe.open("http://w.test/", { session: "waiting", deadlineMs: 30_000 });
  assert.equal(refused.error?.type, "BUSY");
  assert.equal(refused.error.details.storeProblem, "database or disk is full");
  assert.match(refused.error.message, /cannot write to its disk: database or disk is full/);
  assert.match(refused.error.steps[0]?.text ?? "", /must have free space/);
  assert.equal(refused.error.retry?.afterMs, 10_000);
  assert.equal(await stateOf(troupe, "a"), false, "the idle session stays awake");

  disk.free();
  assert.deepEqual((await given(troupe, "waiting")).ended, ["local/a"]);
  assert.equal(await stateOf(troupe, "a"), true);
  const state = await given(troupe, "a");
  assert.equal(
    state.given.at(-1)?.session?.tabs[0]?.url,
    "http://b.test/",
    "its unwritten state is not lost",
  );
});

/** Every write of a session's state fails, as on a full disk, until the disk is freed. */
function fullDisk(troupe: Troupe) {
  const database = new DatabaseSync(path.join(troupe.config.state.dir, "sessions.db"));
  database.exec(
    "CREATE TRIGGER full BEFORE INSERT ON parts BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END",
  );
  return {
    free: () => database.exec("DROP TRIGGER full"),
    [Symbol.dispose]: () => database.close(),
  };
}

test("a new session with the name of a hibernating one is not ended in its place", async () => {
  await using troupe = await testDaemon({ roles: { one: { ...SOON, sessions: 3 } } });
  await troupe.open("http://a.test/", { session: "held" });
  await troupe.logged(LINES.restAsked("local/held"));
  await troupe.ask("CloseSession", { session: "held" });
  // The end of the earlier session is reported first.
  await troupe.open("http://b.test/", { session: "held" });
  assert.ok((await troupe.open("http://b.test/", { session: "held" })).ok);
  await troupe.open("http://do/let-rest", { session: "other" });
  assert.deepEqual((await given(troupe, "other")).ended, ["local/held"]);
  assert.equal(await stateOf(troupe, "held"), false);
});

test("beyond limits.sessionStore the longest hibernated session ends with reason and address; others come back", async () => {
  await using troupe = await testDaemon({ roles: { one: SOON }, limits: { sessionStore: "1MiB" } });
  const stores = "http://do/store?bytes=600000";
  for (const session of ["first", "second"]) {
    await troupe.open(stores, { session });
    await resting(troupe, session);
  }
  const { error } = await troupe.tool("Click", { ref: "e1" }, { session: "first" });
  assert.equal(error?.type, "SESSION_EXPIRED");
  assert.equal(error?.details.reason, "what all sessions have stored was more than limits.sessionStore");
  assert.equal(error?.details.url, stores);
  assert.equal(await stateOf(troupe, "second"), true);
  const state = await given(troupe, "second");
  assert.deepEqual(
    state.given.map(({ key }) => key),
    ["local/second"],
  );
  assert.ok((await troupe.open("http://a.test/", { session: "first" })).ok, "it begins anew");
});
