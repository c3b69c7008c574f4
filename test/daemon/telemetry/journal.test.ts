// The journal: kept beyond the daemon's death, bounded, and without harm to calls.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import type { EndedCall } from "../../../daemon/telemetry/ended-call.ts";
import { Journal } from "../../../daemon/telemetry/journal.ts";
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
  return { journal: new Journal(file, limits, clock, log), clock, lines };
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

test("calls are kept in order, listed by session and role, and outlive the daemon", (t) => {
  const file = folder(t);
  const first = opened(file).journal;
  first.called(call({ requestId: "1" }));
  first.called(call({ requestId: "2", session: "other" }));
  first.called(call({ requestId: "3", role: "admin", outcome: "STALE_REF" }));
  // As when the process is killed, nothing is closed.
  const { journal } = opened(file);
  const ids = (calls: { requestId: string }[]) => calls.map(({ requestId }) => requestId);
  assert.deepEqual(ids(journal.newestCalls(10, {})), ["1", "2", "3"]);
  assert.deepEqual(ids(journal.newestCalls(2, {})), ["2", "3"]);
  assert.deepEqual(ids(journal.newestCalls(10, { session: "s" })), ["1", "3"]);
  assert.deepEqual(ids(journal.newestCalls(10, { session: "s", role: "admin" })), ["3"]);
  assert.equal(journal.newestCalls(1, {})[0]?.outcome, "STALE_REF");
  journal[Symbol.dispose]();
  first[Symbol.dispose]();
});

test("recovery rates cover the requested time", (t) => {
  const { journal, clock } = opened(folder(t));
  const episode = { type: "STALE_REF", role: "shop", tool: "browser_click", calls: 2 };
  journal.episodeEnded({ ...episode, outcome: "abandoned" });
  clock.pass(48 * HOUR_MS);
  journal.episodeEnded({ ...episode, outcome: "recovered" });
  journal.episodeEnded({ ...episode, outcome: "recovered" });
  journal.episodeEnded({ ...episode, outcome: "repeated" });
  assert.deepEqual(journal.recovery(clock.now() - 24 * HOUR_MS), [
    { type: "STALE_REF", recovered: 2, repeated: 1, abandoned: 0 },
  ]);
  assert.equal(journal.recovery(0)[0]?.abandoned, 1);
});

test("old records are deleted, and the oldest if there are too many", (t) => {
  const small = { size: 2 ** 20, age: HOUR_MS };
  const { journal, clock } = opened(folder(t), small);
  journal.called(call({ requestId: "old", atMs: clock.now() }));
  clock.pass(2 * HOUR_MS);
  for (let count = 0; count < 30_000; count++)
    journal.called(call({ requestId: `request-${count}-${"x".repeat(80)}`, atMs: clock.now() }));
  const kept = journal.newestCalls(50_000, {});
  assert.ok(kept.length > 100 && kept.length < 20_000, `${kept.length} are kept`);
  assert.ok(kept.every(({ requestId }) => requestId !== "old"));
  assert.match(kept.at(-1)?.requestId ?? "", /^request-29999-/);
});

test("old records are deleted in parts after the start, so no start or call waits for it", (t) => {
  const file = folder(t);
  const first = opened(file);
  for (let count = 0; count < 2_500; count++) first.journal.called(call({ atMs: first.clock.now() }));
  first.journal[Symbol.dispose]();
  const { journal, clock } = opened(file, { ...LIMITS, age: HOUR_MS }, fakeClock(5 * HOUR_MS));
  const left = [0, 1_000, 1_000, 1_000].map((ms) => {
    clock.pass(ms);
    return journal.newestCalls(10_000, {}).length;
  });
  assert.deepEqual(left, [2_500, 1_500, 500, 0]);
  journal[Symbol.dispose]();
  assert.equal(clock.pending, 0);
});

test("a journal with broken pages opens, and is set aside when one is read", (t) => {
  const file = folder(t);
  const first = opened(file).journal;
  for (let count = 0; count < 5_000; count++) first.called(call({ requestId: String(count) }));
  first[Symbol.dispose]();
  const bytes = readFileSync(file);
  // The damage spares the first pages, with the tables' roots, and the last ones.
  bytes.fill(0xa5, bytes.length / 4, bytes.length / 2);
  writeFileSync(file, bytes);
  const { journal } = opened(file);
  assert.deepEqual(journal.warnings, []);
  assert.deepEqual(journal.newestCalls(10_000, {}), []);
  assert.match(journal.warnings.join(), /journal is damaged; it was moved to .*journal\.db\.damaged/);
  journal.called(call());
  assert.equal(journal.newestCalls(10, {}).length, 1);
  assert.ok(readdirSync(path.dirname(file)).includes("journal.db.damaged"));
});

test("a damaged journal is set aside with a warning, and begun again", (t) => {
  const file = folder(t);
  writeFileSync(file, "this is no database, and never was one".repeat(100));
  const { journal } = opened(file);
  assert.match(journal.warnings.join(), /journal is damaged; it was moved to .*journal\.db\.damaged/);
  journal.called(call());
  assert.equal(journal.newestCalls(10, {}).length, 1);
  assert.ok(readdirSync(path.dirname(file)).includes("journal.db.damaged"));
});

test("a journal of a later version is set aside unchanged", (t) => {
  const file = folder(t);
  const later = new DatabaseSync(file);
  later.exec("CREATE TABLE novelty (id INTEGER); INSERT INTO novelty VALUES (7); PRAGMA user_version = 2");
  later.close();
  const { journal } = opened(file);
  assert.match(journal.warnings.join(), /later version \(2\); it was moved to .*journal\.db\.v2/);
  journal.called(call());
  assert.equal(journal.newestCalls(10, {}).length, 1);
  const aside = new DatabaseSync(`${file}.v2`);
  assert.equal(aside.prepare("SELECT id FROM novelty").get()?.id, 7);
  aside.close();
});

test("without a usable file the history ends with the daemon, with a warning", (t) => {
  const { journal } = opened(path.join(folder(t), "no", "such", "folder.db"));
  assert.match(journal.warnings.join(), /cannot be kept .*: the history ends with the daemon/);
  journal.called(call());
  assert.equal(journal.newestCalls(10, {}).length, 1);
});

test("a failed write is logged once, and no call fails for it", (t) => {
  const file = folder(t);
  const { journal, lines } = opened(file);
  const other = new DatabaseSync(file);
  other.exec("DROP TABLE calls");
  journal.called(call());
  journal.called(call());
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /cannot be written/);
  other.close();
});

test("a scope has its client's calls and those in its roles, newest last, and the episodes of its roles", (t) => {
  const { journal } = opened(folder(t));
  for (const [requestId, client, role] of [
    ["1", "ci", "shop"],
    ["2", "ci", "admin"],
    ["3", "other", "admin"],
    ["4", "other", "shop"],
    ["5", "other", "admin"],
  ] as const)
    journal.called(call({ requestId, client, role }));
  const ids = (filter: object, limit = 10) =>
    journal.newestCalls(limit, filter).map(({ requestId }) => requestId);
  const ci = (...roles: string[]) => ({ scope: { client: "ci", roles } });
  assert.deepEqual(ids(ci("shop")), ["1", "2", "4"]);
  assert.deepEqual(ids(ci("shop"), 2), ["2", "4"]);
  assert.deepEqual(ids(ci("shop"), 0), []);
  assert.deepEqual(ids(ci()), ["1", "2"]);
  assert.deepEqual(ids({ ...ci("shop"), client: "other", session: "s" }), ["4"]);
  assert.deepEqual(ids({ ...ci("shop"), role: "admin" }), ["2"]);
  const spans = (...given: [] | [{ client: string; roles: string[] }]) =>
    journal.callsOverTime(0, 10_000, ...given).map(({ calls }) => calls);
  assert.deepEqual([spans(), spans(ci("shop").scope), spans(ci().scope)], [[5], [3], [2]]);
  for (const role of ["shop", "admin"]) journal.episodeEnded(ended(role));
  assert.deepEqual(
    [undefined, ["shop"], []].map((roles) => journal.recovery(0, roles)[0]?.recovered),
    [2, 1, undefined],
  );
  assert.deepEqual(
    [undefined, ["shop"], []].map((roles) => journal.recoveryOverTime(0, 10_000, roles)[0]?.episodes),
    [2, 1, undefined],
  );
});

const ended = (role: string) => ({
  type: "NO_HISTORY" as const,
  role,
  tool: "browser_navigate",
  outcome: "recovered" as const,
  calls: 1,
});

test("calls are separated by client, even if their sessions have the same name", (t) => {
  const { journal } = opened(folder(t));
  journal.called(call({ requestId: "1" }));
  journal.called(call({ requestId: "2", client: "ci" }));
  journal.called(call({ requestId: "3", client: "cert:ci" }));
  const ids = (filter: object) => journal.newestCalls(10, filter).map(({ requestId }) => requestId);
  assert.deepEqual(
    [
      {},
      { session: "s" },
      { client: "local" },
      { client: "ci" },
      { client: "ci", session: "s" },
      { client: "c" },
    ].map(ids),
    [["1", "2", "3"], ["1", "2", "3"], ["1"], ["2"], ["2"], []],
  );
  assert.ok(journal.newestCalls(10, {}).every(({ session }) => session === "s"));
});
