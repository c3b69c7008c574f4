// Every engine of the journal keeps this contract. The daemon knows nothing else of them.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { systemClock } from "../../../daemon/core/clock.ts";
import { KeyRing } from "../../../daemon/core/key-ring.ts";
import { Postgres } from "../../../daemon/store/postgres.ts";
import { NO_FAILURES, timestamp } from "../../../daemon/supervisor/failure-history.ts";
import { RoleFailures } from "../../../daemon/supervisor/role-failures.ts";
import type { EndedCall } from "../../../daemon/telemetry/ended-call.ts";
import type { SessionEpisode } from "../../../daemon/telemetry/flight-recorder.ts";
import type { Journal } from "../../../daemon/telemetry/journal.ts";
import { PostgresJournal } from "../../../daemon/telemetry/postgres-journal.ts";
import { SqliteJournal } from "../../../daemon/telemetry/sqlite-journal.ts";
import { skipWithoutPostgres, startPostgres } from "../../harness/servers/postgres.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const log = pino({ level: "silent" });
const limits = { size: 64 * 2 ** 20, age: 30 * 86_400_000 };
const HOUR_MS = 3_600_000;
const NOW_MS = systemClock.now();

/** Opens the journal as another daemon does: the next one of the state folder, or one of the same database. */
type Open = () => Journal;

const engines: { engine: string; skip: string | false; opener(t: TestContext): Promise<Open> }[] = [
  {
    engine: "SQLite",
    skip: false,
    async opener(t) {
      const all = endedWith(t);
      const { dir } = all.use(tempDir());
      return () => all.use(new SqliteJournal(path.join(dir, "journal.db"), limits, systemClock, log));
    },
  },
  {
    engine: "PostgreSQL",
    skip: skipWithoutPostgres,
    async opener(t) {
      const all = endedWith(t);
      const server = all.use(await startPostgres());
      const database = all.use(await Postgres.open(await server.database()));
      const parts = { database, limits, keys: new KeyRing([randomBytes(32)]), clock: systemClock, log };
      return () => all.use(new PostgresJournal({ ...parts, daemon: randomUUID() }));
    },
  },
];

function endedWith(t: TestContext): AsyncDisposableStack {
  const all = new AsyncDisposableStack();
  t.after(() => all.disposeAsync());
  return all;
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
  atMs: NOW_MS,
  ...more,
});
const episode = (more: Partial<SessionEpisode> = {}): SessionEpisode => ({
  type: "STALE_REF",
  role: "shop",
  tool: "browser_click",
  client: "local",
  session: "s",
  outcome: "recovered",
  calls: 2,
  atMs: NOW_MS,
  ...more,
});
const ids = async (journal: Journal, filter: object, limit = 10) =>
  (await journal.newestCalls(limit, filter)).map(({ requestId }) => requestId);

for (const { engine, skip, opener } of engines) {
  test(`${engine}: calls are kept in order, listed by session and role, for the next daemon`, {
    skip,
  }, async (t) => {
    const open = await opener(t);
    const first = open();
    first.called(call({ requestId: "1" }));
    first.called(call({ requestId: "2", session: "other" }));
    first.called(call({ requestId: "3", role: "admin", outcome: "STALE_REF" }));
    assert.deepEqual(await ids(first, {}), ["1", "2", "3"], "it reads its own records at once");
    const next = open();
    assert.deepEqual(await ids(next, {}), ["1", "2", "3"]);
    assert.deepEqual(await ids(next, {}, 2), ["2", "3"]);
    assert.deepEqual(await ids(next, { session: "s" }), ["1", "3"]);
    assert.deepEqual(await ids(next, { session: "s", role: "admin" }), ["3"]);
    const [last] = await next.newestCalls(1, {});
    assert.deepEqual([last?.tool, last?.outcome, last?.durationMs], ["browser_click", "STALE_REF", 12]);
  });

  test(`${engine}: recovery rates cover the requested time`, { skip }, async (t) => {
    const journal = (await opener(t))();
    journal.episodeEnded(episode({ outcome: "abandoned", atMs: NOW_MS - 48 * HOUR_MS }));
    for (const outcome of ["recovered", "recovered", "repeated"] as const)
      journal.episodeEnded(episode({ outcome }));
    assert.deepEqual(await journal.recovery(NOW_MS - 24 * HOUR_MS), [
      { type: "STALE_REF", recovered: 2, repeated: 1, abandoned: 0 },
    ]);
    assert.equal((await journal.recovery(0))[0]?.abandoned, 1);
    const spans = await journal.recoveryOverTime(0, 24 * HOUR_MS);
    assert.deepEqual(
      spans.map(({ recovered, episodes }) => [recovered, episodes]),
      [
        [0, 1],
        [2, 3],
      ],
    );
    assert.equal((spans[0]?.atMs ?? 1) % (24 * HOUR_MS), 0);
  });

  test(`${engine}: a scope has its client's calls, and all that is in its roles`, { skip }, async (t) => {
    const journal = (await opener(t))();
    for (const [requestId, client, role] of [
      ["1", "ci", "shop"],
      ["2", "ci", "admin"],
      ["3", "other", "admin"],
      ["4", "other", "shop"],
      ["5", "other", "admin"],
    ] as const)
      journal.called(call({ requestId, client, role }));
    const ci = (...roles: string[]) => ({ scope: { client: "ci", roles } });
    assert.deepEqual(await ids(journal, ci("shop")), ["1", "2", "4"]);
    assert.deepEqual(await ids(journal, ci("shop"), 2), ["2", "4"]);
    assert.deepEqual(await ids(journal, ci("shop"), 0), []);
    assert.deepEqual(await ids(journal, ci()), ["1", "2"]);
    assert.deepEqual(await ids(journal, { ...ci("shop"), client: "other", session: "s" }), ["4"]);
    assert.deepEqual(await ids(journal, { ...ci("shop"), role: "admin" }), ["2"]);
    const counted = async (scope?: { client: string; roles: string[] }) =>
      (await journal.callsOverTime(0, 1e15, scope)).map(({ calls, failed }) => [calls, failed]);
    assert.deepEqual(await counted(), [[5, 0]]);
    assert.deepEqual(await counted(ci("shop").scope), [[3, 0]]);
    assert.deepEqual(await counted(ci().scope), [[2, 0]]);
    for (const role of ["shop", "admin"]) journal.episodeEnded(episode({ role }));
    for (const [roles, count] of [
      [undefined, 2],
      [["shop"], 1],
      [[], undefined],
    ] as const) {
      assert.equal((await journal.recovery(0, roles))[0]?.recovered, count);
      assert.equal((await journal.recoveryOverTime(0, 1e15, roles))[0]?.episodes, count);
    }
  });

  test(`${engine}: calls are separated by client, even if their sessions have the same name`, {
    skip,
  }, async (t) => {
    const journal = (await opener(t))();
    journal.called(call({ requestId: "1" }));
    journal.called(call({ requestId: "2", client: "ci" }));
    journal.called(call({ requestId: "3", client: "cert:ci" }));
    for (const [filter, found] of [
      [{}, ["1", "2", "3"]],
      [{ session: "s" }, ["1", "2", "3"]],
      [{ client: "local" }, ["1"]],
      [{ client: "ci" }, ["2"]],
      [{ client: "ci", session: "s" }, ["2"]],
      [{ client: "c" }, []],
    ] as const)
      assert.deepEqual(await ids(journal, filter), found);
    assert.ok((await journal.newestCalls(10, {})).every(({ session }) => session === "s"));
  });

  test(`${engine}: the next daemon has a role's failures, until they are forgotten`, { skip }, async (t) => {
    const open = await opener(t);
    const failuresAt = (journal: Journal) =>
      new RoleFailures({ role: "shop", worker: () => undefined, journal, clock: systemClock, log });
    const said = async (failures: RoleFailures) =>
      (await failures.read()).incidents.map(({ error }) => error);
    const [first, next] = [open(), open()];
    const incident = { kind: "hung", error: "first", session: "", timestamp: timestamp(NOW_MS) };
    const cleanup = { step: "x", error: "past", timestamp: timestamp(NOW_MS) };
    failuresAt(first).add({
      kind: "incident",
      reason: "",
      entry: { ...NO_FAILURES, incidents: [incident] },
    } as never);
    await first.newestCalls(1, {});
    const there = failuresAt(next);
    assert.deepEqual(await said(there), ["first"]);
    there.add({ kind: "cleanup", reason: "", entry: { ...NO_FAILURES, cleanupErrors: [cleanup] } } as never);
    assert.deepEqual((await there.read()).cleanupErrors.length, 1);
    await there.forget();
    assert.deepEqual(await said(there), []);
    assert.deepEqual(await said(failuresAt(open())), []);
  });

  test(`${engine}: text that no database takes does no harm`, { skip }, async (t) => {
    const journal = (await opener(t))();
    journal.called(call({ requestId: "1", tool: "nul \0 and half \ud83d a pair" }));
    journal.called(call({ requestId: "2" }));
    assert.deepEqual(await ids(journal, {}), ["1", "2"]);
  });
}
