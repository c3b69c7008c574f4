// The database is full or has no connection left, clocks are apart, and two clients begin one session.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Client } from "pg";
import { skipWithoutPostgres as skip } from "../../harness/servers/postgres.ts";
import { tempDir } from "../../harness/temp-dir.ts";
import { daemonsOf } from "./daemons.ts";

const soon = { deadlineMs: 5_000 };
/** The daemon's lease, which cannot be renewed meanwhile, outlasts such a call on a busy machine, too. */
const atOnce = { deadlineMs: 2_000 };

test("a database that is full, locked or without a connection left costs no session", {
  skip,
}, async (t) => {
  const { open, postgres, url, ask } = await daemonsOf(t);
  const daemon = await open();
  const store = async (given?: object) => (await daemon.open("http://do/store", given)).error;
  /** A busy machine may let the lease lapse in a bad time. The daemon takes calls again once it is renewed. */
  const leased = async () => {
    const lapses = daemon.lines.filter((line) =>
      line.includes("no call is taken before it is renewed"),
    ).length;
    if (lapses > 0) await daemon.logged("the lease is renewed: calls are taken again", lapses);
  };
  assert.equal(await store(), undefined);

  await ask(`CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$`);
  await ask("CREATE TRIGGER t BEFORE INSERT OR UPDATE ON parts FOR EACH ROW EXECUTE FUNCTION disk_full()");
  const full = await store(soon);
  assert.equal(full?.type, "STORE_UNAVAILABLE");
  assert.match(full.message, /disk is full/);
  assert.equal(full.details.effect, "unknown");
  assert.equal((await store(soon))?.details.effect, "none");
  assert.equal((await daemon.tool("GetCurrentRole", {})).error, undefined);
  await ask("DROP TRIGGER t ON parts");
  await daemon.logged("sessions are written again");
  await leased();
  assert.equal(await store(), undefined);

  const operator = new Client({ connectionString: url });
  await operator.connect();
  await operator.query("BEGIN");
  await operator.query("LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE");
  assert.equal((await store(atOnce))?.type, "STORE_UNAVAILABLE");
  assert.equal((await daemon.tool("GetCurrentRole", {})).error, undefined);
  await operator.query("ROLLBACK");
  await operator.end();
  await leased();
  assert.equal(await store(), undefined);

  await postgres.ask("ALTER ROLE troupe CONNECTION LIMIT 0");
  await postgres.disconnect(url);
  assert.match(String((await store(soon))?.message), /too many connections/);
  const refused = await store({ session: "new", ...soon });
  assert.equal(refused?.type, "STORE_UNAVAILABLE");
  assert.equal(refused.details.effect, "none");
  await postgres.ask("ALTER ROLE troupe CONNECTION LIMIT -1");
  await daemon.logged("sessions are written again", 2);
  await leased();
  assert.equal(await store(), undefined);
  assert.deepEqual(await ask("SELECT key, epoch FROM sessions"), [{ key: "local/s1", epoch: "1" }]);
});

const APART = `const real = Date;
globalThis.Date = class extends real {
  constructor(...given) { super(...(given.length > 0 ? given : [real.now() + 60_000])); }
  static now() { return real.now() + 60_000; }
};`;

test("daemons whose clocks are a minute apart share their sessions", { skip }, async (t) => {
  const { start, open, ask } = await daemonsOf(t);
  const temp = tempDir();
  t.after(() => temp[Symbol.dispose]());
  const ahead = path.join(temp.dir, "ahead.mjs");
  writeFileSync(ahead, APART);
  const [one, other] = [await start({}, { NODE_OPTIONS: `--import=${ahead}` }), await open()];
  assert.equal((await one.open("http://do/store")).ok, "stored");
  const [row] = await ask<{ created_at_ms: string }>("SELECT created_at_ms FROM sessions");
  assert.ok(Number(row?.created_at_ms) > Date.now() + 30_000, "its clock is ahead");
  assert.equal((await other.open("https://a.test/")).ok, "opened https://a.test/");
  await other.open("https://b.test/", { session: "s2" });
  assert.equal((await one.open("https://c.test/", { session: "s2" })).ok, "opened https://c.test/");
  one.child.kill("SIGKILL");
  await one.exited;
  assert.equal((await other.open("https://d.test/")).error?.type, "WORKER_RESTARTED");
  assert.match((await other.open("http://do/state")).ok ?? "", /"parts":\["stored"\]/);
});

test("clients that begin one session at two daemons at once share it", { skip }, async (t) => {
  const { open, ask } = await daemonsOf(t);
  const both = [await open(), await open()];
  const ids = ["a", "b", "c", "d", "';--", '"$1\\'];
  const calls = ids.flatMap((session) => both.map((daemon) => daemon.open("http://do/store", { session })));
  const replies = await Promise.all(calls);
  assert.deepEqual(new Set(replies.map(({ ok, error }) => ok ?? error?.message)), new Set(["stored"]));
  const rows = await ask("SELECT id FROM sessions WHERE epoch = 1 ORDER BY id");
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), ids.toSorted());
});
