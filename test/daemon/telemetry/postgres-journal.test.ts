// The journal that daemons share: their failures are found by all, and no call waits for it.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { type Clock, systemClock } from "../../../daemon/core/clock.ts";
import { KeyRing } from "../../../daemon/core/key-ring.ts";
import { Postgres } from "../../../daemon/store/postgres.ts";
import { NO_FAILURES, timestamp } from "../../../daemon/supervisor/failure-history.ts";
import type { EndedCall } from "../../../daemon/telemetry/ended-call.ts";
import type { JournalLimits } from "../../../daemon/telemetry/journal.ts";
import { PostgresJournal } from "../../../daemon/telemetry/postgres-journal.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { skipWithoutPostgres as skip, startPostgres } from "../../harness/servers/postgres.ts";
import { until } from "../../harness/within.ts";

const HOUR_MS = 3_600_000;
const LIMITS = { size: 64 * 2 ** 20, age: 30 * 24 * HOUR_MS };

async function databaseOf(t: TestContext) {
  const all = new AsyncDisposableStack();
  t.after(() => all.disposeAsync());
  const server = all.use(await startPostgres());
  const url = await server.database();
  const database = all.use(await Postgres.open(url));
  const keys = new KeyRing([randomBytes(32)]);
  const lines: { msg: string; dropped?: number }[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return {
    server,
    url,
    database,
    lines,
    ask: <R extends Record<string, unknown>>(sql: string) => server.ask<R>(sql, [], url),
    open: (limits: JournalLimits = LIMITS, clock: Clock = systemClock, daemon: string = randomUUID()) =>
      all.use(new PostgresJournal({ database, daemon, limits, keys, clock, log })),
  };
}

const call = (more: Partial<EndedCall> = {}): EndedCall => ({
  tool: "browser_click",
  role: "shop",
  client: "local",
  session: "s",
  sessionKey: "k",
  requestId: "r",
  outcome: "OK",
  code: "OK",
  durationMs: 12,
  atMs: systemClock.now(),
  ...more,
});
const failed = (requestId: string, more: Partial<EndedCall> = {}) =>
  call({ requestId, outcome: "STALE_REF", ...more });
const ids = async (journal: PostgresJournal) =>
  (await journal.newestCalls(20_000, {})).map(({ requestId }) => requestId);

test("each daemon sees the failed calls and episodes of the others, in its scope", { skip }, async (t) => {
  const { open } = await databaseOf(t);
  const [one, other] = [open(), open()];
  one.called(call({ requestId: "fine" }));
  one.called(failed("1", { failure: { recoverable: true } as EndedCall["failure"] }));
  one.called(failed("2", { client: "ci", role: "admin" }));
  const ended = { type: "STALE_REF", role: "shop", tool: "browser_click", session: "s", calls: 1 } as const;
  one.episodeEnded({ ...ended, client: "local", outcome: "recovered", atMs: systemClock.now() });
  assert.deepEqual(await one.newestElsewhere(10), { failures: [], episodes: [] });
  const { failures, episodes } = await other.newestElsewhere(10);
  assert.deepEqual(
    failures.map(({ requestId, recoverable }) => [requestId, recoverable]),
    [
      ["1", true],
      ["2", false],
    ],
  );
  assert.deepEqual(
    episodes.map(({ tool, outcome }) => [tool, outcome]),
    [["browser_click", "recovered"]],
  );
  const scoped = await other.newestElsewhere(10, { client: "ci", roles: [] });
  assert.deepEqual([scoped.failures.length, scoped.episodes.length], [1, 0]);
});

test("records wait for the database, are written once, and no answer is awaited for them", {
  skip,
}, async (t) => {
  const { open, server, lines, ask } = await databaseOf(t);
  const [clock, journal] = [systemClock, open()];
  journal.called(call({ requestId: "before" }));
  await ids(journal);
  await server.stop();
  const atMs = clock.now() - HOUR_MS;
  for (let each = 0; each < 10_500; each++) journal.called(call({ requestId: String(each), atMs }));
  await assert.rejects(journal.newestCalls(1, {}), { type: "STORE_UNAVAILABLE" });
  await assert.rejects(journal.failuresElsewhere("shop"), { type: "STORE_UNAVAILABLE" });
  assert.match(journal.warnings.join(), /lacks 500 records/);
  await server.start();
  // The server takes no connections yet.
  await until(async () => (await ids(journal).catch(() => [])).length === 10_001, "all are written");
  const [count] = await ask(
    "SELECT count(*)::int AS all, count(DISTINCT request_id)::int AS distinct FROM journal_calls",
  );
  assert.deepEqual(count, { all: 10_001, distinct: 10_001 });
  const [age] = await ask(
    "SELECT min(clock_timestamp() - at) >= interval '1 hour' AS kept FROM journal_calls WHERE request_id <> 'before'",
  );
  assert.deepEqual(age, { kept: true }, "the wait is no part of the date");
  for (const said of ["cannot be written yet", "records of the journal are dropped", "written again"])
    assert.equal(lines.filter(({ msg }) => msg.includes(said)).length, 1, said);
});

test("the log says once a minute that the journal cannot be read", { skip }, async (t) => {
  const { open, ask, lines } = await databaseOf(t);
  let passedMs = 0;
  const journal = open(LIMITS, { ...systemClock, steady: () => systemClock.steady() + passedMs });
  await ask("ALTER TABLE journal_calls RENAME TO elsewhere");
  const said = () => lines.filter(({ msg }) => msg === "the journal cannot be read").length;
  for (let reads = 0; reads < 3; reads++)
    await assert.rejects(journal.newestCalls(1, {}), { type: "STORE_UNAVAILABLE" });
  assert.equal(said(), 1);
  passedMs += 60_000;
  for (let reads = 0; reads < 3; reads++)
    await assert.rejects(journal.newestCalls(1, {}), { type: "STORE_UNAVAILABLE" });
  assert.equal(said(), 2);
});

test("a batch whose answer was lost is not written twice", { skip }, async (t) => {
  const { open, database } = await databaseOf(t);
  const journal = open();
  const rows = database.rows.bind(database);
  let lost = 0;
  database.rows = (async (statement: { name: string; text: string }, values: unknown[]) => {
    const answer = await rows(statement, values);
    if (statement.name === "write journal" && lost++ === 0) throw new Error("connection lost");
    return answer;
  }) as typeof rows;
  journal.called(call({ requestId: "1" }));
  await ids(journal);
  journal.called(call({ requestId: "2" }));
  await until(async () => (await ids(journal)).length === 2, "the second is written");
  assert.deepEqual(await ids(journal), ["1", "2"]);
  assert.ok(lost >= 3);
});

test("a record that the database refuses is dropped, and those beside it and after it are written", {
  skip,
}, async (t) => {
  const { open, ask } = await databaseOf(t);
  await ask("ALTER TABLE journal_calls ADD CHECK (tool <> 'refused')");
  const journal = open();
  journal.called(call({ requestId: "1" }));
  journal.called(call({ tool: "refused" }));
  journal.called(call({ requestId: "2" }));
  await ids(journal);
  journal.called(call({ requestId: "3" }));
  assert.deepEqual((await ids(journal)).toSorted(), ["1", "2", "3"]);
  assert.match(journal.warnings.join(), /lacks 1 records/);
});

test("a database of the version before gets the journal, and keeps its sessions", { skip }, async (t) => {
  const { open, ask, url } = await databaseOf(t);
  await ask(`INSERT INTO sessions (key, id, client, created_at_ms, used_at_ms, epoch, last_change)
    VALUES ('local/a', 'a', 'local', 1, 1, 1, 0)`);
  for (const table of ["calls", "episodes", "approvals", "failures", "writers", "trimmed"])
    await ask(`DROP TABLE journal_${table}`);
  await ask("UPDATE troupe_version SET version = 1");
  for (const _start of [1, 2]) await (await Postgres.open(url))[Symbol.asyncDispose]();
  const journal = open();
  journal.called(call({ requestId: "1" }));
  assert.deepEqual(await ids(journal), ["1"]);
  assert.deepEqual(await ask("SELECT key FROM sessions"), [{ key: "local/a" }]);
});

test("dates are by the database's clock, even if a daemon's clock is wrong", { skip }, async (t) => {
  const { open } = await databaseOf(t);
  const ahead = { ...systemClock, now: () => systemClock.now() + 10 * 60_000 };
  const [one, other] = [open(LIMITS, ahead), open()];
  one.called(call({ requestId: "1", atMs: ahead.now() }));
  await ids(one);
  other.called(call({ requestId: "2" }));
  const [first, second] = await other.newestCalls(2, {});
  assert.ok((first?.at?.seconds ?? 0) - (second?.at?.seconds ?? 0) < 60);
});

test("one daemon at a time deletes what is too old or too much", { skip }, async (t) => {
  const { open, ask } = await databaseOf(t);
  const limits = { size: 2 ** 20, age: HOUR_MS };
  const clock = fakeClock(systemClock.now());
  const [one, other] = [open(limits, clock), open(limits, clock)];
  const atMs = clock.now();
  one.called(call({ requestId: "old", atMs: atMs - 2 * HOUR_MS }));
  one.episodeEnded({
    ...{ type: "STALE_REF", role: "shop", tool: "browser_click", session: "s", client: "local" },
    ...{ calls: 1, outcome: "recovered", atMs: atMs - 2 * HOUR_MS },
  });
  for (let each = 0; each < 9_000; each++) one.called(call({ requestId: `${each}`, atMs }));
  await ids(one);
  await ask("CREATE TABLE deletions (table_name text)");
  await ask("GRANT ALL ON deletions TO PUBLIC");
  await ask(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO deletions VALUES (TG_TABLE_NAME); RETURN NULL; END $$`);
  await ask("CREATE TRIGGER deleted AFTER DELETE ON journal_episodes EXECUTE FUNCTION note()");
  clock.pass(1_000);
  await until(async () => (await ids(other)).length < 9_000, "the oldest are deleted");
  const kept = await ids(other);
  assert.ok(!kept.includes("old"));
  assert.equal(kept.at(-1), "8999");
  assert.ok(kept.length > 1_000, `${kept.length}`);
  assert.deepEqual(await other.recovery(0), []);
  await until(() => other.bytes > 0 && one.bytes > 0, "both know the size");
  assert.equal((await ask("SELECT * FROM deletions")).length, 1);
});

test("failures are encrypted, and those of a daemon that has ended have no login", { skip }, async (t) => {
  const { open, ask } = await databaseOf(t);
  const daemons = [randomUUID(), randomUUID()] as const;
  await ask(`INSERT INTO pods (incarnation, name, lock_key, alive_until)
    VALUES ('${daemons[0]}', 'living', 1, clock_timestamp() + interval '1 hour')`);
  const at = timestamp(systemClock.now());
  for (const [index, daemon] of daemons.entries()) {
    const journal = open(LIMITS, systemClock, daemon);
    journal.failed("shop", {
      ...NO_FAILURES,
      authLoadError: { error: `login ${index}`, timestamp: at } as never,
      incidents: [{ kind: "hung", error: `at https://shop.test/${index}`, session: "", timestamp: at }],
    });
    await ids(journal);
  }
  const read = await open().failuresElsewhere("shop");
  assert.equal(read.incidents.length, 2);
  assert.equal((read.authLoadError as { error?: string } | null)?.error, "login 0");
  const rows = await ask<{ log: Buffer }>("SELECT log FROM journal_failures");
  assert.deepEqual(
    rows.map(({ log }) => log.includes("shop.test")),
    [false, false],
  );
});
