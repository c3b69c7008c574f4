// A call that finds no place has its error before its client's deadline: what hindered it, its effect, and a plan.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../../harness/free-port.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { startRelay } from "../../harness/servers/relay.ts";
import { daemonsOf } from "./daemons.ts";

const soon = { deadlineMs: 5_000 };

test("a session that cannot be claimed has its error in time", { skip }, async (t) => {
  const { open, postgres } = await daemonsOf(t);
  const daemon = await open();
  await daemon.open("https://a.test/");
  postgres.pause();
  const { error } = await daemon.open("https://a.test/", { session: "new", ...soon });
  postgres.resume();
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "none");
});

test("daemons that reach the database and not each other give errors in time, and lose nothing", {
  skip,
}, async (t) => {
  const { open, peers, ask } = await daemonsOf(t);
  const port = await freePort();
  const relay = await startRelay(port);
  t.after(() => relay[Symbol.asyncDispose]());
  const between = { listen: `127.0.0.1:${port}`, address: `127.0.0.1:${relay.port}` };
  const [one, other] = [await open({ peers: { ...peers, ...between } }), await open()];
  await one.open("http://do/store");
  const underWay = other.open("http://do/wait", soon);
  await one.holds();
  relay.part();
  const { error: broken } = await underWay;
  assert.equal(broken?.type, "DAEMON_UNREACHABLE");
  assert.equal(broken?.details.effect, "unknown");
  assert.doesNotMatch(
    JSON.stringify(broken),
    /127\.0\.0\.1|troupe daemon,/,
    "the client's own daemon answers",
  );
  const { error: refused } = await other.open("https://b.test/", soon);
  assert.equal(refused?.type, "STORE_UNAVAILABLE");
  assert.equal(refused?.details.effect, "none");
  assert.equal((await one.open("https://c.test/")).ok, "opened https://c.test/");
  relay.heal();
  assert.equal((await other.open("https://d.test/")).ok, "opened https://d.test/");
  assert.deepEqual(await ask("SELECT epoch FROM sessions"), [{ epoch: "1" }]);
});

test("a call that another daemon has begun is never said to be undone, also by a daemon that ends", {
  skip,
}, async (t) => {
  const { open, peers } = await daemonsOf(t);
  const port = await freePort();
  const relay = await startRelay(port);
  t.after(() => relay[Symbol.asyncDispose]());
  const between = { listen: `127.0.0.1:${port}`, address: `127.0.0.1:${relay.port}` };
  const [owner, entry] = [
    await open({ peers: { ...peers, ...between } }),
    await open({ limits: { drain: "1s" } }),
  ];
  await owner.open("https://a.test/");
  const passedOn = entry.open("http://do/hang", { deadlineMs: 8_000 });
  await owner.holds();
  entry.daemon.drain();
  await entry.daemon.over;
  relay.part();
  const { error } = await passedOn;
  assert.equal(error?.details.effect, "unknown", String(error?.message));
});
