// The journal's file: kept beyond the daemon's death, bounded, and without harm to calls.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { pino } from "pino";
import type { EndedCall } from "../../../daemon/telemetry/ended-call.ts";
import { SqliteJournal } from "../../../daemon/telemetry/sqlite-journal.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const LIMITS = { size: 64 * 2 ** 20, age: 30 * 86_400_000 };
const HOUR_MS = 3_600_000;

function folder(t: TestContext) {
  const temp = tempDir();
  t.after(() => temp[Symbol.dispose]());
  return path.join(temp.dir, "journal.db");
}

function opened(file: string, limits = LIMITS, clock = fakeClock()) {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  return { journal: new SqliteJournal(file, limits, clock, log), clock, lines };
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
  atMs: 1_000,
  ...more,
});

test("old records are deleted, and the oldest if there are too many", async (t) => {
  const small = { size: 2 ** 20, age: HOUR_MS };
  const { journal, clock } = opened(folder(t), small);
  journal.called(call({ requestId: "old", atMs: clock.now() }));
  clock.pass(2 * HOUR_MS);
  for (let count = 0; count < 30_000; count++)
    journal.called(call({ requestId: `request-${count}-${"x".repeat(80)}`, atMs: clock.now() }));
  const kept = await journal.newestCalls(50_000, {});
  assert.ok(kept.length > 100 && kept.length < 20_000, `${kept.length} are kept`);
  assert.ok(kept.every(({ requestId }) => requestId !== "old"));
  assert.match(kept.at(-1)?.requestId ?? "", /^request-29999-/);
});

test("old records are deleted in parts after the start, so no start or call waits for it", async (t) => {
  const file = folder(t);
  const first = opened(file);
  for (let count = 0; count < 2_500; count++) first.journal.called(call({ atMs: first.clock.now() }));
  await first.journal[Symbol.asyncDispose]();
  const { journal, clock } = opened(file, { ...LIMITS, age: HOUR_MS }, fakeClock(5 * HOUR_MS));
  const left: number[] = [];
  for (const ms of [0, 1_000, 1_000, 1_000]) {
    clock.pass(ms);
    left.push((await journal.newestCalls(10_000, {})).length);
  }
  assert.deepEqual(left, [2_500, 1_500, 500, 0]);
  await journal[Symbol.asyncDispose]();
  assert.equal(clock.pending, 0);
});

test("a journal with broken pages opens, and is set aside when one is read", async (t) => {
  const file = folder(t);
  const first = opened(file).journal;
  for (let count = 0; count < 5_000; count++) first.called(call({ requestId: String(count) }));
  await first[Symbol.asyncDispose]();
  const bytes = readFileSync(file);
  // The damage spares the first pages, with the tables' roots, and the last ones.
  bytes.fill(0xa5, bytes.length / 4, bytes.length / 2);
  writeFileSync(file, bytes);
  const { journal } = opened(file);
  assert.deepEqual(journal.warnings, []);
  assert.deepEqual(await journal.newestCalls(10_000, {}), []);
  assert.match(journal.warnings.join(), /journal is damaged; it was moved to .*journal\.db\.damaged/);
  journal.called(call());
  assert.equal((await journal.newestCalls(10, {})).length, 1);
  assert.ok(readdirSync(path.dirname(file)).includes("journal.db.damaged"));
});

test("a damaged journal is set aside with a warning, and begun again", async (t) => {
  const file = folder(t);
  writeFileSync(file, "this is no database, and never was one".repeat(100));
  const { journal } = opened(file);
  assert.match(journal.warnings.join(), /journal is damaged; it was moved to .*journal\.db\.damaged/);
  journal.called(call());
  assert.equal((await journal.newestCalls(10, {})).length, 1);
  assert.ok(readdirSync(path.dirname(file)).includes("journal.db.damaged"));
});

test("a journal of a later version is set aside unchanged", async (t) => {
  const file = folder(t);
  const later = new DatabaseSync(file);
  later.exec("CREATE TABLE novelty (id INTEGER); INSERT INTO novelty VALUES (7); PRAGMA user_version = 2");
  later.close();
  const { journal } = opened(file);
  assert.match(journal.warnings.join(), /later version \(2\); it was moved to .*journal\.db\.v2/);
  journal.called(call());
  assert.equal((await journal.newestCalls(10, {})).length, 1);
  const aside = new DatabaseSync(`${file}.v2`);
  assert.equal(aside.prepare("SELECT id FROM novelty").get()?.id, 7);
  aside.close();
});

test("without a usable file the history ends with the daemon, with a warning", async (t) => {
  const { journal } = opened(path.join(folder(t), "no", "such", "folder.db"));
  assert.match(journal.warnings.join(), /cannot be kept .*: the history ends with the daemon/);
  journal.called(call());
  assert.equal((await journal.newestCalls(10, {})).length, 1);
});

test("a failed write is logged once, and no call fails for it", async (t) => {
  const file = folder(t);
  const { journal, lines } = opened(file);
  const other = new DatabaseSync(file);
  other.exec("DROP TABLE calls");
  journal.called(call());
  journal.called(call());
  await endOfTurn();
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /cannot be written/);
  other.close();
});

test("the calls of a turn stand in the file at its end, but for one that the file refuses", async (t) => {
  const file = folder(t);
  const { journal, lines } = opened(file);
  for (const durationMs of [1, Number.NaN, 3]) journal.called(call({ durationMs }));
  await endOfTurn();
  const other = new DatabaseSync(file, { readOnly: true });
  const durations = other
    .prepare("SELECT duration_ms FROM calls ORDER BY id")
    .all()
    .map((row) => row.duration_ms);
  other.close();
  assert.deepEqual(durations, [1, 3]);
  assert.match(lines.join(), /NOT NULL constraint failed/);
});

test("what the last turn recorded is in the file when the journal is closed", async (t) => {
  const file = folder(t);
  const first = opened(file).journal;
  for (const requestId of ["one", "two"]) first.called(call({ requestId }));
  await first[Symbol.asyncDispose]();
  const ids = (await opened(file).journal.newestCalls(10, {})).map(({ requestId }) => requestId);
  assert.deepEqual(ids, ["one", "two"]);
});
