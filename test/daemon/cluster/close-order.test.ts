// The named sessions beside a session end before it, so that a close which breaks off can be repeated.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { connectTo } from "../../../daemon/store/postgres.ts";
import { testClient } from "../../harness/daemon.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { bearerOf, tokenOf } from "../../harness/tokens.ts";
import { until } from "../../harness/within.ts";
import { type ClusterDaemon, type Daemons, daemonsOf } from "./daemons.ts";

const named = { session: "mcp~n", headers: { "x-troupe-session-name": "n" } };

test("a close that does not read the named sessions has ended nothing", { skip }, async (t) => {
  const daemons = await daemonsOf(t);
  const daemon = await daemons.open();
  await daemon.open("https://a.test/", { session: "mcp" });
  await daemon.open("https://b.test/", named);
  const operator = await operatorOf(daemons, t);
  await operator.query("BEGIN");
  await operator.query("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE");
  const { error } = await daemon.ask("CloseSession", { session: "mcp" });
  await operator.query("ROLLBACK");
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "none");
  assert.deepEqual(await keys(daemons), ["local/mcp", "local/mcp~n"]);
  assert.equal((await daemon.ask("CloseSession", { session: "mcp" })).error, undefined);
  assert.deepEqual(await keys(daemons), []);
});

test("a session is the last that its close ends, and nothing is left to read then", { skip }, async (t) => {
  const daemons = await daemonsOf(t);
  const [one, other] = [await daemons.open(), await daemons.open()];
  await one.open("https://a.test/", { session: "mcp" });
  await other.open("https://b.test/", named);
  const { closed, unlock } = await closedUpTo("local/mcp", one, daemons, t);
  assert.equal((await closed).error, undefined);
  await unlock();
  assert.deepEqual(await keys(daemons), []);
});

test("a close that breaks off after its first end has an unknown effect, and can be repeated", {
  skip,
}, async (t) => {
  const daemons = await daemonsOf(t);
  const [one, other] = [await daemons.open(), await daemons.open()];
  await other.open("https://a.test/", { session: "mcp" });
  await one.open("https://b.test/", named);
  const { closed, unlock } = await closedUpTo("local/mcp~n", one, daemons, t);
  const { error } = await closed;
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "unknown");
  await unlock();
  assert.deepEqual(await keys(daemons), ["local/mcp"]);
  assert.equal((await one.ask("CloseSession", { session: "mcp" })).error, undefined);
  assert.deepEqual(await keys(daemons), []);
});

test("a session that no daemon has room for is deleted as it rests", { skip }, async (t) => {
  const daemons = await daemonsOf(t);
  const [full, dying] = [await daemons.open({ limits: { sessions: 1 } }), await daemons.start()];
  await full.open("https://a.test/", { session: "mcp" });
  await dying.open("https://b.test/", named);
  dying.child.kill("SIGKILL");
  await dying.exited;
  // The database notices a moment later that the daemon is gone.
  const isClosed = async () => (await full.ask("CloseSession", { session: "mcp" })).error === undefined;
  await until(isClosed, "the session is closed");
  assert.deepEqual(await keys(daemons), []);
});

test("a delete without an answer has an unknown effect, and can be repeated", { skip }, async (t) => {
  const daemons = await daemonsOf(t);
  const full = await daemons.open({ limits: { sessions: 1 } });
  const left = await daemons.start({ limits: { drain: "0s" } });
  await full.open("https://a.test/", { session: "own" });
  await left.open("https://b.test/", { session: "mcp" });
  left.child.kill("SIGTERM");
  await left.exited;
  const operator = await holding("local/mcp", daemons, t);
  const closed = full.ask("CloseSession", { session: "mcp" });
  const deletion = "WITH living%DELETE FROM sessions";
  await waiting(deletion, daemons);
  await daemons.ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '${deletion}%'`);
  const { error } = await closed;
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "unknown");
  await operator.query("ROLLBACK");
  assert.equal((await full.ask("CloseSession", { session: "mcp" })).error, undefined);
  assert.deepEqual(await keys(daemons), ["local/own"]);
});

test("a close that meets a session while its daemon gives it up ends it", { skip }, async (t) => {
  const daemons = await daemonsOf(t);
  // Nothing is left to be written before it is given up.
  const daemon = await daemons.open({ roles: { shop: { hibernateAfter: "1s" } } });
  await daemon.open("https://a.test/", { session: "mcp" });
  const resting = `SELECT FROM sessions WHERE roles LIKE '%"resting":["shop"]%'`;
  await until(async () => (await daemons.ask(resting)).length > 0, "the session rests");
  const operator = await holding("local/mcp", daemons, t);
  daemon.daemon.drain();
  await waiting("UPDATE sessions SET owner", daemons);
  const closed = daemon.ask("CloseSession", { session: "mcp" });
  const sessions = async () => (await daemon.ask("ListSessions", {})).ok?.sessions;
  await until(async () => (await sessions())?.length === 0, "the session has ended here");
  await operator.query("ROLLBACK");
  assert.equal((await closed).error, undefined);
  assert.deepEqual(await keys(daemons), []);
});

test("a daemon that ends closes sessions at rest, and says that it ends for what else they need", {
  skip,
}, async (t) => {
  const daemons = await daemonsOf(t);
  const [ending, left] = [await daemons.open(), await daemons.start({ limits: { drain: "2s" } })];
  await left.open("https://a.test/", { session: "mcp" });
  await left.open("https://b.test/", named);
  left.child.kill("SIGTERM");
  await left.exited;
  ending.daemon.drain();
  const { error } = await ending.ask("TakeOver", { session: "mcp" });
  assert.equal(error?.type, "DAEMON_DRAINING");
  assert.equal((await ending.ask("CloseSession", { session: "mcp" })).error, undefined);
  assert.deepEqual(await keys(daemons), []);
});

test("a close that is refused has ended no session beside the one that it names", { skip }, async (t) => {
  const daemons = await daemonsOf(t);
  const { at1, at2, by } = await withOperator(daemons, t);
  await at1.open("https://a.test/", { session: "mcp", headers: by("owner") });
  await at1.open("https://a.test/", { session: "mcp", role: "admin", headers: by("owner") });
  await at2.open("https://b.test/", { ...named, headers: { ...named.headers, ...by("owner") } });
  const { error } = await at1.ask("CloseSession", { session: "owner/mcp" }, { headers: by("ops") });
  assert.equal(error?.type, "PERMISSION_DENIED");
  assert.deepEqual(await keys(daemons), ["owner/mcp", "owner/mcp~n"]);
});

for (const where of ["at1", "at2"] as const)
  test(`a close is refused if a named session is in a role that the operator lacks, ${where}`, {
    skip,
  }, async (t) => {
    const daemons = await daemonsOf(t);
    const { by, ...clients } = await withOperator(daemons, t);
    const headers = { ...named.headers, ...by("owner") };
    await clients.at1.open("https://a.test/", { session: "mcp", role: "shop", headers: by("owner") });
    await clients[where].open("https://b.test/", { ...named, role: "admin", headers });
    const { error } = await clients.at1.ask("CloseSession", { session: "owner/mcp" }, { headers: by("ops") });
    assert.equal(error?.type, "PERMISSION_DENIED");
    assert.deepEqual(await keys(daemons), ["owner/mcp", "owner/mcp~n"]);
  });

test("a close at another daemon ends the session of that id, not one whose id looks like its key", {
  skip,
}, async (t) => {
  const daemons = await daemonsOf(t);
  const [one, other] = [await daemons.open(), await daemons.open()];
  await one.open("https://a.test/", { session: "local/mcp" });
  await other.open("https://b.test/", { session: "mcp" });
  assert.equal((await one.ask("CloseSession", { session: "mcp" })).error, undefined);
  assert.deepEqual(await keys(daemons), ["local/local/mcp"]);
});

/** Opens two daemons, with the token of an owner, and that of an operator who has the role `shop` only. */
async function withOperator(daemons: Daemons, t: TestContext) {
  const tokens = [tokenOf("owner"), tokenOf("ops", { control: "write", roles: ["shop"] })];
  const settings = { listen: ["unix:default", "127.0.0.1:0"], tokens };
  const opened = async () => {
    const { daemon } = await daemons.open(settings);
    const client = testClient(daemon.addresses[1] ?? "");
    t.after(() => client.close());
    return client;
  };
  return { at1: await opened(), at2: await opened(), by: bearerOf };
}

/** Begins a close at a daemon, and lets the database answer until it has deleted the session of that key. */
async function closedUpTo(key: string, daemon: ClusterDaemon, daemons: Daemons, t: TestContext) {
  const [first, next] = [await holding(key, daemons, t), await operatorOf(daemons, t)];
  const closed = daemon.ask("CloseSession", { session: "mcp" });
  await waiting("DELETE FROM sessions", daemons);
  await next.query("BEGIN");
  const locked = next.query("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE");
  await waiting("LOCK TABLE", daemons);
  await first.query("ROLLBACK");
  await locked;
  return { closed, unlock: () => next.query("ROLLBACK") };
}

/** Locks the row of a session until the returned connection rolls back. */
async function holding(key: string, daemons: Daemons, t: TestContext) {
  const operator = await operatorOf(daemons, t);
  await operator.query("BEGIN");
  await operator.query("SELECT FROM sessions WHERE key = $1 FOR UPDATE", [key]);
  return operator;
}

/** Resolves when a statement that begins so waits for a lock. */
async function waiting(statement: string, { ask }: Daemons): Promise<void> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE '${statement}%'`;
  await until(async () => (await ask(sql)).length > 0, `${statement} waits for a lock`);
}

async function operatorOf({ url }: Daemons, t: TestContext) {
  const operator = await connectTo(url);
  t.after(() => operator.end());
  return operator;
}

async function keys({ ask }: Daemons) {
  return (await ask("SELECT key FROM sessions ORDER BY key")).map(({ key }) => key);
}
