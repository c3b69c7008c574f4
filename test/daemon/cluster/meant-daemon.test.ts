// Another daemon has the address of a session's owner: calls that are meant for the owner are not carried out there.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

/** Opens a session at one of two daemons and kills that daemon. Its address among the daemons is `listen`. */
async function besideDead(t: TestContext) {
  const daemons = await daemonsOf(t);
  const [other, owner] = [await daemons.open(), await daemons.start()];
  await owner.open("http://do/store");
  const [row] = await daemons.ask<{ address: string }>(
    "SELECT address FROM pods WHERE incarnation = (SELECT owner FROM sessions)",
  );
  owner.child.kill("SIGKILL");
  await owner.exited;
  return { daemons, other, listen: row?.address ?? "" };
}

test("a daemon that is killed and started again at its address is known as dead", { skip }, async (t) => {
  const { daemons, other, listen } = await besideDead(t);
  await daemons.open({ peers: { ...daemons.peers, listen } });
  assert.equal((await other.open("https://a.test/")).error?.type, "WORKER_RESTARTED");
  const { ok = "" } = await other.open("http://do/state");
  assert.match(ok, /"parts":\["stored"\]/);
});

test("a daemon of another database carries out no call that is meant for an owner", { skip }, async (t) => {
  const { daemons, other, listen } = await besideDead(t);
  const store = await daemons.postgres.database();
  await daemons.open({ store, peers: { ...daemons.peers, listen } });
  assert.equal((await other.open("https://a.test/")).error?.type, "WORKER_RESTARTED");
  assert.deepEqual(await daemons.postgres.ask("SELECT key FROM sessions", [], store), []);
});

test("an operator lists and closes a session whose daemon was started again at its address", {
  skip,
}, async (t) => {
  const { daemons, other, listen } = await besideDead(t);
  await daemons.open({ peers: { ...daemons.peers, listen } });
  const { ok } = await other.ask("ListSessions", {});
  assert.deepEqual(
    ok?.sessions.map(({ id }) => id),
    ["s1"],
  );
  assert.equal((await other.ask("CloseSession", { session: "s1" })).error, undefined);
  assert.deepEqual(await daemons.ask("SELECT key FROM sessions"), []);
});

test("an operator closes a session at once after its daemon was killed, with another one at its address", {
  skip,
}, async (t) => {
  const { daemons, other, listen } = await besideDead(t);
  await daemons.open({ peers: { ...daemons.peers, listen } });
  assert.equal((await other.ask("CloseSession", { session: "s1" })).error, undefined);
  assert.deepEqual(await daemons.ask("SELECT key FROM sessions"), []);
});

test("two living daemons with one address are reported", { skip }, async (t) => {
  const { open, ask, peers } = await daemonsOf(t);
  await open();
  const [pod] = await ask<{ address: string }>("SELECT address FROM pods");
  const owner = await open({ peers: { ...peers, address: pod?.address } });
  await owner.open("https://a.test/");
  const other = await open();
  const { error } = await other.open("https://b.test/");
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.match(String(error?.details.reason), /another daemon answers/);
  const closing = await other.ask("CloseSession", { session: "s1" });
  assert.equal(closing.error?.type, "STORE_UNAVAILABLE");
  assert.equal(closing.error?.details.effect, "none");
  const warning = "another daemon answers at this one's address: `peers.address` must differ";
  await other.logged(warning);
  assert.equal(other.lines.filter((line) => line.includes(warning)).length, 1);
  const { ok } = await other.ask("GetStatus", {});
  assert.match(String(ok?.warnings), /`peers.address` must differ/);
});
