// Streams that outlive connections, workers and daemons, against a stand-in that breaks on command.
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, TroupeError } from "../../../client/sdk/index.ts";
import { fail } from "../../../proto/errors/catalogue.ts";
import { aborted, type Received, StandIn } from "../../harness/stand-in/daemon.ts";

const DEADLINE = { timeout: 60_000 };
const update = (text: string) => ({ kind: "SNAPSHOT_KIND_FULL", text });

/** Sends these parts, then nothing, until the client or the connection is gone. */
const telling = (...parts: object[]) =>
  async function* ({ signal }: Received) {
    yield* parts;
    await aborted(signal);
  };

test("a watch continues over a broken connection, and says that its session was used", DEADLINE, async () => {
  await using daemon = await StandIn.start({ Watch: telling(update("one")) });
  await using client = await connect({ address: daemon.address });
  const watch = client.session.watch({ tab: "t1", maxTokens: 100, role: "admin" });
  assert.equal((await watch.next()).value?.text, "one");
  const next = watch.next();
  daemon.answers = { Watch: telling(update("two")) };
  await daemon.stop();
  await daemon.start();
  assert.equal((await next).value?.text, "two");
  await watch.return();
  const [first, second] = daemon.callsOf("Watch");
  assert.deepEqual(first?.request, { tab: "t1", maxTokens: 100 });
  assert.deepEqual(second?.request, first?.request);
  assert.equal(first?.headers["x-troupe-role"], "admin");
  assert.deepEqual(
    [first, second].map((call) => call?.headers["x-troupe-resume"]?.length),
    [undefined, 36],
  );
});

test("a watch continues after its worker's restart; a lost session ends it", DEADLINE, async () => {
  await using daemon = await StandIn.start({
    Watch: () => {
      daemon.answers.Watch = telling(update("again"));
      throw fail("WORKER_RESTARTED", { role: "customer", reason: "told to", effect: "none" });
    },
  });
  await using client = await connect({ address: daemon.address });
  const watch = client.session.watch();
  assert.equal((await watch.next()).value?.text, "again");
  daemon.answers.Watch = () => {
    throw fail("SESSION_LOST", { session: client.session.id });
  };
  daemon.breakConnections();
  await assert.rejects(watch.next(), (error) => {
    assert.ok(error instanceof TroupeError);
    assert.deepEqual([error.type, error.detail.tool], ["SESSION_LOST", "Watch"]);
    return true;
  });
  assert.deepEqual(await watch.next(), { value: undefined, done: true });
});

test("a watch begins in the session's first role", DEADLINE, async () => {
  await using daemon = await StandIn.start({ Watch: telling(update("one")) });
  await using client = await connect({ address: daemon.address, role: "admin" });
  for await (const { text } of client.session.watch()) {
    assert.equal(text, "one");
    break;
  }
  const order = daemon.received.map(({ rpc }) => rpc).filter((rpc) => /Role|^Watch$/.test(rpc));
  assert.deepEqual(order, ["SelectRole", "Watch"]);
});

test("a signal ends a watch with CANCELLED, closing the session in order", DEADLINE, async () => {
  await using daemon = await StandIn.start({ Watch: telling(update("one")) });
  await using client = await connect({ address: daemon.address });
  const abort = new AbortController();
  const given = client.session.watch({}, { signal: abort.signal });
  const other = client.session.watch();
  await Promise.all([given.next(), other.next()]);
  const [pending, otherPending] = [given.next(), other.next()];
  abort.abort();
  await assert.rejects(pending, { type: "CANCELLED" });
  await client.session.close();
  assert.deepEqual(await otherPending, { value: undefined, done: true });
});

test("a signal also ends a stream that waits to be reopened", DEADLINE, async () => {
  await using daemon = await StandIn.start({
    Watch: () => {
      throw fail("BUSY", { limit: "told to", holders: [], retryAfterMs: 10_000 });
    },
  });
  await using client = await connect({ address: daemon.address });
  const abort = new AbortController();
  const asked = daemon.next("Watch");
  const pending = client.session.watch({}, { signal: abort.signal }).next();
  await asked;
  // Its answer comes after the refusal.
  await client.status();
  abort.abort();
  await assert.rejects(pending, { type: "CANCELLED" });
});

test("events continue in the next daemon", DEADLINE, async () => {
  const told = (session: string) => [{ heartbeat: {} }, { session: { session, change: "opened" } }];
  await using daemon = await StandIn.start({ WatchEvents: telling(...told("a")) });
  await using client = await connect({ address: daemon.address });
  const events = client.events({ role: "customer" });
  assert.equal((await events.next()).value?.session?.session, "a");
  const next = events.next();
  await daemon.stop();
  daemon.answers = { WatchEvents: telling(...told("b")) };
  await daemon.start();
  assert.equal((await next).value?.session?.session, "b");
  await events.return();
  assert.deepEqual(
    daemon.callsOf("WatchEvents").map(({ request }) => request.role),
    ["customer", "customer"],
  );
});

test("a signal given with the filter ends the events too", DEADLINE, async () => {
  const session = { session: "a", change: "opened" };
  await using daemon = await StandIn.start({ WatchEvents: telling({ heartbeat: {} }, { session }) });
  await using client = await connect({ address: daemon.address });
  const stop = new AbortController();
  const events = client.events({ signal: stop.signal });
  await events.next();
  const pending = events.next();
  stop.abort();
  await assert.rejects(pending, { type: "CANCELLED" });
});

test("a stream that is not permitted fails at once", DEADLINE, async () => {
  await using daemon = await StandIn.start({
    WatchEvents: () => {
      throw fail("UNKNOWN_ROLE", { role: "custmer", roles: ["customer"], nearest: "customer" });
    },
  });
  await using client = await connect({ address: daemon.address });
  await assert.rejects(client.events({ role: "custmer" }).next(), { type: "UNKNOWN_ROLE" });
});
