// A claim of a session that got no answer may have taken effect: the daemon gives up what it owns without knowing it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { systemClock } from "../../../daemon/core/clock.ts";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { startRelay, through } from "../../harness/servers/relay.ts";
import { until } from "../../harness/within.ts";
import { daemonsOf } from "./daemons.ts";

const MINUTE_MS = 60_000;

/** The system's clock. Its alarms of a minute ring when the test says so. */
function clockOfMinutes() {
  const alarms = new Set<() => void>();
  const after = (ms: number, callback: () => void) => {
    if (ms !== MINUTE_MS) return systemClock.after(ms, callback);
    alarms.add(callback);
    return { cancel: () => void alarms.delete(callback) };
  };
  const ring = () => {
    const due = [...alarms];
    alarms.clear();
    for (const callback of due) callback();
  };
  return { clock: { ...systemClock, after }, ring };
}

test("a session whose claim got no answer is given up, and those in use stay", { skip }, async (t) => {
  const { open, postgres, url, ask } = await daemonsOf(t);
  const relay = await startRelay(postgres.port);
  t.after(() => relay[Symbol.asyncDispose]());
  const { clock, ring } = clockOfMinutes();
  const alone = { peers: undefined };
  const one = await open({ ...alone, store: through(relay, url) }, { clock });
  const other = await open(alone);
  await one.open("https://a.test/", { session: "used" });
  const operator = new Client({ connectionString: url });
  await operator.connect();
  await operator.query("BEGIN");
  await operator.query("LOCK TABLE sessions IN SHARE MODE");
  const claiming = one.open("https://a.test/", { session: "lost" });
  const isInserting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT%'";
  await until(async () => (await postgres.ask(isInserting)).length === 1, "the claim waits");
  relay.part();
  relay.heal();
  assert.equal((await claiming).error?.type, "STORE_UNAVAILABLE");
  await operator.query("ROLLBACK");
  await operator.end();
  const owned = () => ask("SELECT key FROM sessions WHERE owner IS NOT NULL ORDER BY key");
  await until(async () => (await owned()).length === 2, "the claim takes effect");
  assert.equal((await other.open("https://a.test/", { session: "lost" })).error?.type, "STORE_UNAVAILABLE");
  ring();
  await until(async () => (await owned()).length === 1, "the session is given up");
  assert.deepEqual(await owned(), [{ key: "local/used" }]);
  const { ok } = await other.open("https://a.test/", { session: "lost" });
  assert.equal(ok, "opened https://a.test/");
  assert.equal((await one.open("https://a.test/", { session: "used" })).ok, "opened https://a.test/");
});
