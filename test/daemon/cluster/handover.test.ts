// Sessions come to a daemon and leave it, while calls and failures come between.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { openLink, Person } from "../../harness/browser/person-at-work.ts";
import { testClient } from "../../harness/daemon.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { sha256 } from "../../harness/tokens.ts";
import { until } from "../../harness/within.ts";
import { daemonsOf } from "./daemons.ts";

test("calls that come while their session moves are all served, and once", { skip }, async (t) => {
  const { start, ask } = await daemonsOf(t);
  const [one, other] = [await start(), await start()];
  await one.open("http://do/store");
  one.child.kill("SIGTERM");
  await one.said(/draining/, "err");
  const urls = Array.from({ length: 30 }, (_, each) => `https://a.test/${each}`);
  const replies = await Promise.all(urls.map((url, each) => (each % 2 === 0 ? one : other).open(url)));
  const failed = replies.filter(({ error }) => error && error.type !== "DAEMON_DRAINING");
  assert.deepEqual(failed, []);
  await one.exited;
  const { ok: state = "" } = await other.open("http://do/state");
  assert.match(state, /"rested":true/);
  assert.deepEqual(await ask("SELECT epoch FROM sessions"), [{ epoch: "3" }], "released once, claimed once");
});

test("a daemon that ends waits for replies that another one makes, after its port is closed", {
  skip,
}, async (t) => {
  const { open } = await daemonsOf(t);
  const [one, other] = [
    await open(),
    await open({ listen: ["unix:default", "127.0.0.1:0"], limits: { drain: "60s" } }),
  ];
  await one.open("https://a.test/");
  const passedOn = other.open("http://do/wait", { deadlineMs: 60_000 });
  const watch = other.stream("Browser.Watch");
  await one.holds();
  let isOver = false;
  const over = other.daemon.over.then(() => {
    isOver = true;
  });
  const watchEnds = once(watch, "error");
  other.daemon.drain();
  assert.match(String(await watchEnds), /finishes its calls/);
  await until(async () => !(await isOpen(other.daemon.addresses[1] ?? "")), "the port is closed");
  assert.equal(isOver, false);
  assert.equal((await one.open("http://do/go-on")).ok, "they go on");
  assert.equal((await passedOn).ok, "waited");
  await over;
});

test("a daemon that ends finds the owner of a session that it never had", { skip }, async (t) => {
  const { open } = await daemonsOf(t);
  const [entry, one, other] = [await open(), await open(), await open()];
  await one.open("https://a.test/", { session: "s1" });
  await other.open("https://a.test/", { session: "s2" });
  entry.daemon.drain();
  for (const session of ["s1", "s2"]) {
    const { ok, error } = await entry.open("https://b.test/", { session });
    assert.equal(ok, "opened https://b.test/", String(error?.message));
  }
});

test("a daemon that found no room for a session gives it to others", { skip }, async (t) => {
  const { open, start } = await daemonsOf(t);
  const [dying, full, free] = [await start(), await open({ limits: { sessions: 1 } }), await open()];
  const names = ["s1", "s2", "s3"];
  for (const session of names) await dying.open("https://a.test/", { session });
  dying.child.kill("SIGKILL");
  await dying.exited;
  const opened = async (daemon: typeof full, session: string) =>
    (await daemon.open("https://b.test/", { session })).error?.type;
  const first = await Promise.all(names.map((session) => opened(full, session)));
  assert.deepEqual(first.toSorted(), ["STORE_UNAVAILABLE", "STORE_UNAVAILABLE", "WORKER_RESTARTED"]);
  for (const [at, session] of names.entries())
    if (first[at] === "STORE_UNAVAILABLE") assert.equal(await opened(free, session), "WORKER_RESTARTED");
});

test("a daemon without room leaves a dead daemon's session, which learns of the death later", {
  skip,
}, async (t) => {
  const { start, ask } = await daemonsOf(t);
  const [one, other] = [await start(), await start({ limits: { sessions: 1 } })];
  await one.open("http://do/store");
  await other.open("https://b.test/", { session: "s2" });
  one.child.kill("SIGKILL");
  await one.exited;
  assert.equal((await other.open("https://a.test/")).error?.type, "STORE_UNAVAILABLE");
  await other.ask("CloseSession", { session: "s2" });
  assert.equal((await other.open("https://a.test/")).error?.type, "WORKER_RESTARTED");
  assert.equal((await other.open("https://a.test/")).ok, "opened https://a.test/");
  assert.deepEqual(await ask("SELECT epoch FROM sessions WHERE key = 'local/s1'"), [{ epoch: "2" }]);
});

test("a call over its client's rate claims no session, and one that is passed on counts once", {
  skip,
}, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const digest = sha256("a-token-with-a-rate");
  const tokens = [{ name: "slow", sha256: digest, rate: "2/h" }];
  const settings = { listen: ["unix:default", "127.0.0.1:0"], tokens };
  const clients = [await open(settings), await open(settings)].map(({ daemon }) => {
    const client = testClient(daemon.addresses[1] ?? "");
    t.after(() => client.close());
    return client;
  });
  const outcomes = async (which: number, session: string) => {
    const headers = { authorization: "Bearer a-token-with-a-rate" };
    const { error } = (await clients[which]?.open("https://a.test/", { session, headers })) ?? {};
    return error?.type ?? "OK";
  };
  assert.equal(await outcomes(0, "a"), "OK");
  assert.equal(await outcomes(1, "a"), "OK");
  assert.equal(await outcomes(1, "a"), "OK");
  assert.equal(await outcomes(1, "b"), "BUSY");
  assert.equal(await outcomes(0, "a"), "OK", "what the other daemon passed on does not count here");
  assert.equal(await outcomes(0, "c"), "BUSY");
  assert.deepEqual(await ask("SELECT key FROM sessions"), [{ key: "slow/a" }]);
});

test("a person's page works at any daemon, wherever the link was asked for and the session is", {
  skip,
}, async (t) => {
  const { open } = await daemonsOf(t);
  const [one, other, third] = [await open(), await open(), await open()];
  await one.open("https://a.test/");
  const { ok } = await other.tool("AskPerson", { why: "a code" });
  assert.ok(ok?.url.startsWith(one.daemon.http[0] ?? "none"), String(ok?.url));
  const at = (daemon: typeof one) => `${daemon.daemon.http[0]}/takeover${new URL(ok?.url ?? "").hash}`;
  const { status, body, cookie } = await openLink(at(other));
  assert.equal(status, 200);
  await using person = new Person(new URL(at(third)).origin, body.id ?? "", cookie);
  await person.sees(({ isReady }) => isReady, "the session is the person's");
  assert.ok((await other.ask("TakeOver", { session: "s1" })).ok?.atWorkSince);
  await person.handBack();
  assert.ok(!(await other.ask("TakeOver", { session: "s1" })).ok?.atWorkSince);
  assert.deepEqual((await openLink(at(third))).body, { state: "invalid", why: "used" });
  assert.equal((await openLink(`${third.daemon.http[0]}/takeover#none`)).status, 410);
});

test("a link that is not known while a daemon does not answer may still be known to it", {
  skip,
}, async (t) => {
  const { open, start } = await daemonsOf(t);
  const [one, silent] = [await open(), await start()];
  // It reads which daemons there are.
  await one.ask("ListSessions", {});
  silent.child.kill("SIGSTOP");
  t.after(() => silent.child.kill("SIGCONT"));
  const at = (token: string) => `${one.daemon.http[0]}/takeover#${token}`;
  const { status, body } = await openLink(at(`${"x".repeat(22)}.${"y".repeat(43)}`));
  assert.equal(status, 503);
  assert.deepEqual(body, { state: "unavailable", why: "unreachable" });
  assert.equal((await openLink(at("none"))).status, 410);
});

test("daemons that end together do not wait for each other to take their sessions", { skip }, async (t) => {
  const { start, ask } = await daemonsOf(t);
  const all = [await start({ limits: { drain: "1h" } }), await start({ limits: { drain: "1h" } })];
  for (const [index, daemon] of all.entries()) await daemon.open("http://do/store", { session: `s${index}` });
  for (const { child } of all) child.kill("SIGTERM");
  await Promise.all(all.map(({ exited }) => exited));
  assert.deepEqual(await ask("SELECT owner FROM sessions"), [{ owner: null }, { owner: null }]);
});

/** Resolves with false if no program listens at the address. */
async function isOpen(address: string): Promise<boolean> {
  const socket = connect(Number(address.split(":")[1]), "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    // The system has refused the connection.
    return false;
  } finally {
    socket.destroy();
  }
}
