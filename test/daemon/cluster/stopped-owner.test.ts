// A daemon or the database stands still for a moment: leases hold, and nothing answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { daemonsOf } from "./daemons.ts";

test("a call to an owner that stands still has its error before its client's deadline", {
  skip,
}, async (t) => {
  const { start, open } = await daemonsOf(t);
  const [one, other] = [await start(), await open()];
  await one.open("https://a.test/");
  assert.equal((await other.open("https://b.test/")).ok, "opened https://b.test/");
  one.child.kill("SIGSTOP");
  const { error } = await other.open("https://c.test/", { deadlineMs: 5_000 });
  one.child.kill("SIGCONT");
  assert.equal(error?.details.effect, "unknown", String(error?.message));
  assert.match(String(error?.type), /DAEMON_UNREACHABLE|WORKER_RESTARTED|TIMEOUT/);
  const { ok } = await other.open("https://d.test/");
  assert.equal(ok, "opened https://d.test/");
});

const soon = { deadlineMs: 5_000 };

test("a tool that asks other daemons has its error before its client's deadline", { skip }, async (t) => {
  const { start, open } = await daemonsOf(t);
  const [one, other] = [await start(), await open()];
  await other.open("https://a.test/");
  assert.equal((await other.tool("ClearFailures", {})).error, undefined);
  one.child.kill("SIGSTOP");
  t.after(() => one.child.kill("SIGCONT"));
  const { error } = await other.tool("ClearFailures", {}, soon);
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "unknown");
});

test("a tool that asks the database has its error before its client's deadline", { skip }, async (t) => {
  const { open, postgres } = await daemonsOf(t);
  const daemon = await open();
  await daemon.open("https://a.test/");
  postgres.pause();
  const { error } = await daemon.tool("GetFailures", {}, soon);
  const changed = await daemon.tool("ClearFailures", {}, soon);
  postgres.resume();
  assert.equal(error?.type, "STORE_UNAVAILABLE");
  assert.equal(error?.details.effect, "none");
  assert.equal(changed.error?.type, "STORE_UNAVAILABLE");
});

test("control calls end before their client's deadline, and lists mark the sessions of a stopped daemon", {
  skip,
}, async (t) => {
  const { start, open, postgres } = await daemonsOf(t);
  const [one, other] = [await start(), await open()];
  await one.open("https://a.test/", { session: "a" });
  await other.open("https://b.test/", { session: "b" });
  assert.equal((await other.ask("ListSessions", {})).ok?.sessions?.length, 2);
  one.child.kill("SIGSTOP");
  t.after(() => one.child.kill("SIGCONT"));
  const [{ ok, error }, closed] = await Promise.all([
    other.ask("ListSessions", {}, soon),
    other.ask("CloseSession", { session: "a" }, soon),
  ]);
  assert.deepEqual(
    ok?.sessions?.map(({ id, unanswered }) => [id, unanswered === true]),
    [
      ["b", false],
      ["a", true],
    ],
    String(error?.message),
  );
  assert.equal(closed.error?.type, "STORE_UNAVAILABLE");
  assert.equal(closed.error?.details.effect, "unknown");
  assert.match(String(closed.error?.details.reason), /a daemon that may have it/);
  postgres.pause();
  const [status, calls, cleared] = await Promise.all([
    other.ask("GetStatus", {}, soon),
    other.ask("ListCalls", {}, soon),
    other.ask("ClearFailures", { role: "shop" }, soon),
  ]);
  postgres.resume();
  assert.match(String(status.ok?.warnings), /the journal cannot be read/, String(status.error?.message));
  assert.equal(calls.error?.type, "STORE_UNAVAILABLE");
  assert.equal(calls.error?.details.effect, "none");
  assert.equal(cleared.error?.type, "STORE_UNAVAILABLE");
  assert.equal(cleared.error?.details.effect, "unknown");
});
