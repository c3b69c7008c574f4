// The database is away, slow, read-only or fails over: calls that change nothing go on, and nothing is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectTo } from "../../../daemon/store/postgres.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

const changes = { session: "s1", deadlineMs: 5_000 };

test("without the database a change fails with its plan, a look goes on, and all is kept later", {
  skip,
}, async (t) => {
  const { open, postgres, ask } = await daemonsOf(t);
  const daemon = await open();
  await daemon.open("http://do/store");
  await postgres.stop();
  const unkept = await daemon.open("http://do/store", changes);
  assert.equal(unkept.error?.type, "STORE_UNAVAILABLE");
  assert.equal(unkept.error?.details.effect, "unknown");
  const refused = await daemon.open("http://do/store", changes);
  assert.equal(refused.error?.type, "STORE_UNAVAILABLE");
  assert.equal(refused.error?.details.effect, "none");
  assert.equal((await daemon.tool("GetCurrentRole", {})).error, undefined);
  await postgres.start();
  await daemon.logged("sessions are written again");
  assert.equal((await daemon.open("https://a.test/")).ok, "opened https://a.test/");
  assert.deepEqual(await ask("SELECT epoch FROM sessions"), [{ epoch: "1" }]);
});

test("a read-only database refuses changes until it takes them again", { skip }, async (t) => {
  const { open, postgres } = await daemonsOf(t);
  const daemon = await open();
  await daemon.open("http://do/store");
  await postgres.setReadOnly(true);
  const { error } = await daemon.open("http://do/store", changes);
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.match(error?.message ?? "", /read-only/);
  await postgres.setReadOnly(false);
  await daemon.logged("sessions are written again");
  assert.equal((await daemon.open("https://a.test/")).ok, "opened https://a.test/");
});

test("a database that is away for longer than the lease costs no session", { skip }, async (t) => {
  const { open, postgres, ask } = await daemonsOf(t);
  const daemon = await open();
  await daemon.open("http://do/store");
  await postgres.stop();
  assert.equal((await daemon.open("http://do/store", changes)).error?.type, "STORE_UNAVAILABLE");
  await daemon.logged("the lease could not be renewed in time: no call is taken before it is renewed");
  const { error } = await daemon.tool("GetCurrentRole", {});
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  await postgres.start();
  await daemon.logged("sessions are written again");
  await daemon.logged("the lease is renewed: calls are taken again");
  assert.equal((await daemon.open("https://a.test/")).ok, "opened https://a.test/");
  assert.deepEqual(await ask("SELECT epoch FROM sessions"), [{ epoch: "1" }]);
});

test("broken connections, as in a failover, cost no session and no call", { skip }, async (t) => {
  const { open, postgres, url, ask } = await daemonsOf(t);
  const [one, other] = [await open(), await open()];
  await one.open("http://do/store");
  for (let round = 0; round < 3; round++) {
    await postgres.disconnect(url);
    assert.equal((await one.open("http://do/store")).ok, "stored");
    assert.equal((await other.open("http://do/store")).ok, "stored");
  }
  assert.deepEqual(await ask("SELECT epoch FROM sessions"), [{ epoch: "1" }]);
});

test("a database that does not answer holds no call beyond its deadline", { skip }, async (t) => {
  const { open, postgres } = await daemonsOf(t);
  const daemon = await open();
  await daemon.open("http://do/store");
  postgres.pause();
  const { error } = await daemon.open("http://do/store", changes);
  postgres.resume();
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "unknown");
});

test("a session that is closed while the database stands still may be closed", { skip }, async (t) => {
  const { open, postgres } = await daemonsOf(t);
  const daemon = await open();
  await daemon.open("http://do/store");
  postgres.pause();
  const { error } = await daemon.tool("Close", {}, changes);
  postgres.resume();
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "unknown");
});

test("a session is said to be closed only once it is deleted, and a daemon that ends deletes it", {
  skip,
}, async (t) => {
  const { start, url, ask } = await daemonsOf(t);
  const daemon = await start();
  await daemon.open("http://do/store");
  const operator = await connectTo(url);
  t.after(() => operator.end());
  await operator.query("BEGIN");
  await operator.query("SELECT FROM sessions FOR UPDATE");
  const { error } = await daemon.ask("CloseSession", { session: "s1" });
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "unknown");
  daemon.child.kill("SIGTERM");
  await daemon.said(/draining/, "err");
  await operator.query("ROLLBACK");
  await daemon.exited;
  assert.deepEqual(await ask("SELECT key FROM sessions"), []);
});

test("a deletion that does not come to its end holds up the end of no other session", { skip }, async (t) => {
  const { open, url } = await daemonsOf(t);
  const daemon = await open();
  for (const session of ["s1", "s2"]) await daemon.open("http://do/store", { session });
  const operator = await connectTo(url);
  t.after(() => operator.end());
  await operator.query("BEGIN");
  await operator.query("SELECT FROM sessions WHERE key LIKE '%s1' FOR UPDATE");
  const held = await daemon.ask("CloseSession", { session: "s1" });
  assert.equal(held.error?.type, "STORE_UNAVAILABLE");
  assert.equal((await daemon.ask("CloseSession", { session: "s2" })).error, undefined);
  await operator.query("ROLLBACK");
});

test("a daemon without the key of a session leaves it to one that has it, and says so", {
  skip,
}, async (t) => {
  const { start, open } = await daemonsOf(t);
  const [one, other] = [await start(), await open({ stateKeys: undefined })];
  await one.open("http://do/store");
  one.child.kill("SIGKILL");
  await one.exited;
  const { error } = await other.open("https://a.test/");
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "none");
  assert.match(String(error?.details.reason), /none of this daemon's stateKeys/);
  const third = await open();
  assert.equal((await third.open("https://a.test/")).error?.type, "WORKER_RESTARTED");
  const { ok = "" } = await third.open("http://do/state");
  assert.match(ok, /"parts":\["stored"\]/);
  const { ok: status } = await other.ask("GetStatus", {});
  assert.match(String(status?.warnings), /none of stateKeys fits/);
});
