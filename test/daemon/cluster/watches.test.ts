// Watches last, so those that pass between daemons must not take the way of other calls.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import { testClient } from "../../harness/daemon.ts";
import { freePort } from "../../harness/free-port.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { startRelay } from "../../harness/servers/relay.ts";
import { bearerOf, tokenOf } from "../../harness/tokens.ts";
import { type ClusterDaemon, daemonsOf } from "./daemons.ts";

const NAMES = ["calm", "a", "b", "c", "d", "e", "f"];
const tokens = NAMES.map((name) => tokenOf(name));
const settings = { listen: ["unix:default", "127.0.0.1:0"], tokens };

/** Beyond this time a watch that does not begin has failed. */
const BEGUN_MS = 20_000;

const as = (name: string) => ({ headers: bearerOf(name) });

function clientAt(t: TestContext, { daemon }: ClusterDaemon): ReturnType<typeof testClient> {
  const client = testClient(daemon.addresses[1] ?? "");
  t.after(() => client.close());
  return client;
}

/** Begins so many watches of a client over a connection of its own. Resolves with the error of each that has one. `ended` is called at each end. */
async function watches(
  t: TestContext,
  daemon: ClusterDaemon,
  name: string,
  count: number,
  ended = () => undefined as unknown,
) {
  const client = clientAt(t, daemon);
  const begun = Array.from({ length: count }, async () => {
    const stream = client.stream("Browser.Watch", {}, { ...as(name), deadlineMs: BEGUN_MS });
    stream.on("close", ended);
    const failed = once(stream, "error").then(([error]) => fromStatus(error as ServiceError));
    return await Promise.race([once(stream, "data").then(() => undefined), failed]);
  });
  return (await Promise.all(begun)).filter((error) => error !== undefined);
}

test("a client has a bounded number of watches, and other clients' calls pass", { skip }, async (t) => {
  const { open } = await daemonsOf(t);
  const [owner, entry] = [await open(settings), await open(settings)];
  const [atOwner, atEntry] = [clientAt(t, owner), clientAt(t, entry)];
  await atOwner.open("https://a.test/", as("a"));
  await atOwner.open("https://a.test/", as("calm"));
  // The entry knows the owner from now on, and both connections to it are open.
  assert.equal((await atEntry.open("https://b.test/", as("a"))).ok, "opened https://b.test/");
  assert.deepEqual(await watches(t, entry, "a", 1), []);
  const refused = (await Promise.all([0, 1].map(() => watches(t, entry, "a", 500)))).flat();
  assert.equal((await atEntry.open("https://b.test/", as("calm"))).ok, "opened https://b.test/");
  assert.equal(refused.length, 801);
  for (const { type, message, details, steps } of refused) {
    assert.deepEqual([type, details.own], ["BUSY", "streams"], message);
    assert.ok(steps.length > 0);
  }
  assert.equal((await watches(t, owner, "a", 1))[0]?.type, "BUSY", "it has as many through the other daemon");
  assert.deepEqual(await watches(t, entry, "calm", 1), [], "the bound is each client's own");
});

test("more watches than a client's door has room for pass between two daemons", { skip }, async (t) => {
  const { open } = await daemonsOf(t);
  const [owner, entry] = [await open(settings), await open(settings)];
  const [atOwner, atEntry] = [clientAt(t, owner), clientAt(t, entry)];
  // The entry knows all owners from now on, and the connection for watches is open.
  for (const name of NAMES) {
    await atOwner.open("https://a.test/", as(name));
    assert.equal((await atEntry.open("https://b.test/", as(name))).ok, "opened https://b.test/");
  }
  assert.deepEqual(await watches(t, entry, "calm", 1), []);
  let ended = 0;
  const refused = await Promise.all(NAMES.map((name) => watches(t, entry, name, 180, () => ended++)));
  assert.deepEqual(refused.flat(), []);
  assert.equal(ended, 0, "all of them are open together");
});

test("watches pass between two daemons over a connection of their own", { skip }, async (t) => {
  const { open, peers } = await daemonsOf(t);
  const port = await freePort();
  const relay = await startRelay(port);
  t.after(() => relay[Symbol.asyncDispose]());
  const between = { listen: `127.0.0.1:${port}`, address: `127.0.0.1:${relay.port}` };
  const owner = await open({ ...settings, peers: { ...peers, ...between } });
  const entry = await open(settings);
  const [atOwner, atEntry] = [clientAt(t, owner), clientAt(t, entry)];
  await atOwner.open("https://a.test/", as("a"));
  assert.equal((await atEntry.open("https://b.test/", as("a"))).ok, "opened https://b.test/");
  assert.equal(relay.connections, 1);
  assert.deepEqual(await watches(t, entry, "a", 2), []);
  assert.equal(relay.connections, 2);
  assert.equal((await atEntry.open("https://c.test/", as("a"))).ok, "opened https://c.test/");
  assert.equal(relay.connections, 2);
});
