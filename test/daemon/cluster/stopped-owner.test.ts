// The owner of a session stands still for a moment: its lease holds, and nothing answers.
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
  const { error } = await other.open("https://c.test/", { deadlineMs: 2_000 });
  one.child.kill("SIGCONT");
  assert.equal(error?.details.effect, "unknown", String(error?.message));
  assert.match(String(error?.type), /DAEMON_UNREACHABLE|WORKER_RESTARTED|TIMEOUT/);
  const { ok } = await other.open("https://d.test/");
  assert.equal(ok, "opened https://d.test/");
});
