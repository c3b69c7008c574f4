// The daemons of one database share the journal.
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { until } from "../../harness/within.ts";
import { type ClusterDaemon, type DaemonProcess, daemonsOf } from "./daemons.ts";

const incidentsAt = async ({ ask }: ClusterDaemon | DaemonProcess) =>
  ((await ask("GetFailures", { role: "shop" })).ok?.failures?.incidents ?? []).map(
    ({ error, session }) => `${session}: ${error}`,
  );

test("any daemon answers with the calls, failures and recoveries of all", { skip }, async (t) => {
  const { open } = await daemonsOf(t);
  const [one, other] = [await open(), await open()];
  await one.open("http://do/fail?type=NO_HISTORY", { session: "a" });
  await one.open("https://a.test/", { session: "a" });
  await one.open("http://do/crash-page?page=a", { session: "a" });
  const calls = await until(async () => {
    const listed = (await other.ask("ListCalls", { session: "a" })).ok?.calls ?? [];
    return listed.length === 3 && listed;
  }, "its calls are listed");
  assert.deepEqual(
    calls.map(({ outcome }) => outcome),
    ["NO_HISTORY", "OK", "OK"],
  );
  const { ok } = await other.ask("GetStatus", {});
  assert.deepEqual(
    ok?.recovery?.map(({ type, recovered }) => [type, recovered]),
    [["NO_HISTORY", 1]],
  );
  const known = ["local/a: The page a crashed."];
  await until(async () => (await incidentsAt(other)).length === 1, "its failure is found");
  assert.deepEqual([await incidentsAt(one), await incidentsAt(other)], [known, known]);
  await one.open("http://do/crash-page?page=b", { session: "a" });
  assert.equal((await other.ask("ClearFailures", { role: "shop" })).error, undefined);
  assert.deepEqual([await incidentsAt(one), await incidentsAt(other)], [[], []]);
});

test("a failure of a session that moved is found at its new daemon", { skip }, async (t) => {
  const { open, start } = await daemonsOf(t);
  const [one, other] = [await start({ limits: { drain: "2s" } }), await open()];
  await one.open("http://do/crash-page?page=a", { session: "a" });
  one.child.kill("SIGTERM");
  await one.exited;
  assert.equal((await other.open("https://a.test/", { session: "a" })).error, undefined);
  const { ok } = await other.tool("GetFailures", {}, { session: "a" });
  assert.deepEqual(
    ok?.failures?.incidents?.map(({ error }) => error),
    ["The page a crashed."],
  );
  assert.match(ok?.text ?? "", /The page a crashed/);
});

test("calls go on while the journal waits for its database, and the status says so", { skip }, async (t) => {
  const { open, postgres } = await daemonsOf(t);
  const one = await open();
  await one.open("https://a.test/", { session: "a" });
  postgres.pause();
  t.after(() => postgres.resume());
  const [failed, status] = await Promise.all([one.ask("ListCalls", {}), one.ask("GetStatus", {})]);
  assert.equal(failed.error?.type, "STORE_UNAVAILABLE");
  assert.match(status.ok?.warnings?.join() ?? "", /the journal cannot be read/);
});
