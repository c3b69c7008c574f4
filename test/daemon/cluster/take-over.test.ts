// Daemons end, die or stand still, and their sessions go on in another one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { LINES } from "../../harness/stand-in/state.ts";
import { daemonsOf } from "./daemons.ts";

const stored = { headers: { "x-troupe-resume": "1" } };

test("after a daemon's kill -9 another one goes on with its sessions, and says so once", {
  skip,
}, async (t) => {
  const { start, ask } = await daemonsOf(t);
  const [one, other] = [await start(), await start()];
  assert.equal((await one.open("http://do/store", stored)).error?.type, "SESSION_LOST");
  assert.equal((await one.open("http://do/store", stored)).ok, "stored");
  assert.equal((await other.open("https://a.test/", stored)).ok, "opened https://a.test/");
  one.child.kill("SIGKILL");
  await one.exited;
  const told = await other.open("https://b.test/", stored);
  assert.equal(told.error?.type, "WORKER_RESTARTED");
  assert.equal(told.error?.details.effect, "none");
  assert.equal((await other.open("https://b.test/", stored)).ok, "opened https://b.test/");
  const { ok: state = "" } = await other.open("http://do/state", stored);
  assert.match(state, /"parts":\["stored"\]/);
  assert.deepEqual(await ask("SELECT epoch FROM sessions"), [{ epoch: "2" }]);
});

test("a call under way at a daemon that dies is not repeated, and its effect is unknown", {
  skip,
}, async (t) => {
  const { start } = await daemonsOf(t);
  const [one, other] = [await start(), await start()];
  await one.open("https://a.test/");
  const underWay = other.open("http://do/hang");
  await one.said(new RegExp(LINES.holds("local/s1")), "err");
  one.child.kill("SIGKILL");
  const { error } = await underWay;
  assert.equal(error?.type, "WORKER_RESTARTED");
  assert.equal(error?.details.effect, "unknown");
  assert.equal((await other.open("https://b.test/")).ok, "opened https://b.test/");
});

test("a daemon that ends in order hands its sessions over, and no call notices", { skip }, async (t) => {
  const { start, ask } = await daemonsOf(t);
  const [one, other] = [await start({ limits: { drain: "2s" } }), await start()];
  await one.open("http://do/store");
  await other.open("https://a.test/", { session: "s2" });
  one.child.kill("SIGTERM");
  await one.exited;
  assert.equal(one.child.exitCode, 0, one.output.err);
  assert.match(
    one.output.err,
    /"sessions":1,"waitMsMax":1600,"msg":"waiting for a call of each session in use/,
  );
  assert.deepEqual(await ask("SELECT owner FROM sessions WHERE key = 'local/s1'"), [{ owner: null }]);
  assert.equal((await other.open("https://b.test/")).ok, "opened https://b.test/");
  assert.equal((await ask("SELECT 1 FROM pods")).length, 1);
});

test("a daemon that stands still past its lease writes nothing, and its sessions go on", {
  skip,
}, async (t) => {
  const { start, ask } = await daemonsOf(t);
  const [one, other] = [await start(), await start()];
  await one.open("https://a.test/");
  const underWay = one.open("http://do/hang");
  await one.said(new RegExp(LINES.holds("local/s1")), "err");
  one.child.kill("SIGSTOP");
  const told = await other.open("https://b.test/");
  assert.equal(told.error?.type, "WORKER_RESTARTED");
  assert.equal((await other.open("https://b.test/")).ok, "opened https://b.test/");
  const before = await ask("SELECT epoch, roles FROM sessions");
  one.child.kill("SIGCONT");
  assert.equal((await underWay).error?.type, "STORE_UNAVAILABLE");
  await one.said(/the lease is renewed: calls are taken again/, "err");
  assert.deepEqual(await ask("SELECT epoch, roles FROM sessions"), before);
  const later = await one.open("https://c.test/");
  assert.equal(later.ok, "opened https://c.test/", String(later.error?.message));
  assert.deepEqual(await ask("SELECT epoch FROM sessions"), [{ epoch: "2" }]);
});

test("while a daemon drains, a session moves with the call that gives it new refs", { skip }, async (t) => {
  const { start, ask } = await daemonsOf(t);
  const [one, other] = [await start(), await start()];
  await one.open("http://do/type?field=Amount");
  const before = await ask("SELECT owner FROM sessions");
  one.child.kill("SIGTERM");
  await one.said(/draining/, "err");
  assert.equal((await other.tool("GetCurrentRole", {})).error, undefined);
  assert.equal((await other.open("https://b.test/")).ok, "opened https://b.test/");
  assert.deepEqual(await ask("SELECT owner FROM sessions"), before, "typed text would have been lost");
  assert.equal((await other.open("https://c.test/")).ok, "opened https://c.test/");
  await one.exited;
  assert.notDeepEqual(await ask("SELECT owner FROM sessions"), before);
});
