// The evidence in the state folder: encrypted, bounded by size and age, and without harm to calls.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { KeyRing } from "../../../daemon/core/key-ring.ts";
import { pageQueries } from "../../../daemon/evidence/evidence-page.ts";
import { type EvidenceFilter, EvidenceStore } from "../../../daemon/evidence/evidence-store.ts";
import type { EndedCall } from "../../../daemon/telemetry/ended-call.ts";
import { type FakeClock, fakeClock } from "../../harness/fake-clock.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const key = randomBytes(32);
const LIMITS = { size: 64 * 2 ** 20, age: 3_600_000 };
const PICTURE_BYTES = 10_000;

function folder(t: TestContext): string {
  const temp = tempDir();
  t.after(() => temp[Symbol.dispose]());
  return path.join(temp.dir, "evidence.db");
}

function opened(
  file: string,
  { ring = new KeyRing([key]), limits = LIMITS, clock = fakeClock() } = {},
): { evidence: EvidenceStore; lines: string[]; clock: FakeClock } {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  return { evidence: new EvidenceStore(file, limits, ring, clock, log), lines, clock };
}

const call = (id: string, { session = "local/a", role = "shop", failed = false } = {}): EndedCall => ({
  tool: "browser_click",
  role,
  client: "local",
  session: "a",
  sessionKey: session,
  requestId: `r-${id}`,
  outcome: failed ? "STALE_REF" : "OK",
  code: "OK",
  durationMs: 12,
  atMs: 5_000,
  evidence: id,
  ...(failed && {
    failure: {
      category: "validation",
      recoverable: true,
      digest: "",
      message: "gone",
      plan: () => "hidden plan",
    },
  }),
});
const seen = (tool = "browser_click") => ({
  tool,
  arguments: '{"ref":"e5"}',
  element: 'button "hidden"',
  reply: "hidden reply",
  tab: "t1",
  url: "https://hidden.example/",
  title: "hidden title",
});
const picture = (bytes = PICTURE_BYTES) => ({ image: randomBytes(bytes), missing: "" });
/** Stores all parts of a call. */
function record(evidence: EvidenceStore, id: string, of: Parameters<typeof call>[1] = {}): void {
  const { session = "local/a", role = "shop" } = of;
  evidence.taken(role, { key: session, id, seen: seen() });
  evidence.ended(call(id, of));
  evidence.taken(role, { key: session, id, picture: picture() });
}
const filter = (more: Partial<EvidenceFilter> = {}): EvidenceFilter => ({
  session: "local/a",
  roles: undefined,
  after: "",
  isBrief: false,
  newestFirst: false,
  ...more,
});
const idsIn = (evidence: EvidenceStore, more?: Partial<EvidenceFilter>) =>
  evidence.read(filter(more)).calls.map(({ id }) => id);

test("a call's parts survive the daemon's death, in their order, and are found by session and role", (t) => {
  const file = folder(t);
  const first = opened(file).evidence;
  record(first, "1");
  record(first, "2", { failed: true });
  record(first, "3", { role: "admin" });
  record(first, "4", { session: "ci/a" });
  // The worker died before its reply, and the daemon before the call's end.
  first.ended(call("5"));
  first.taken("shop", { key: "local/a", id: "6", seen: seen("browser_type") });
  const { evidence } = opened(file);
  assert.deepEqual(idsIn(evidence), ["1", "2", "3", "5", "6"]);
  assert.deepEqual(idsIn(evidence, { roles: ["admin"] }), ["3"]);
  assert.deepEqual(idsIn(evidence, { id: "2" }), ["2"]);
  assert.deepEqual(idsIn(evidence, { id: "4" }), []);
  assert.deepEqual(idsIn(evidence, { newestFirst: true }), ["6", "5", "3", "2", "1"]);
  const [one, two, , five, six] = evidence.read(filter()).calls;
  assert.deepEqual([one?.call?.outcome, one?.plan, one?.seen], ["OK", "", seen()]);
  assert.equal(one?.picture?.image.length, PICTURE_BYTES);
  assert.deepEqual([two?.call?.outcome, two?.plan], ["STALE_REF", "hidden plan"]);
  assert.deepEqual([five?.seen, five?.picture], [null, null]);
  assert.deepEqual([six?.call, six?.seen?.tool], [null, "browser_type"]);
  const [brief] = evidence.read(filter({ isBrief: true, id: "2" })).calls;
  assert.deepEqual([brief?.plan, brief?.seen?.reply, brief?.picture?.image.length], ["", "", 0]);
  assert.deepEqual(evidence.sessionsOf("a", undefined), ["ci/a", "local/a"]);
  assert.deepEqual([evidence.has("local/a"), evidence.has("local/b")], [true, false]);
});

test("the sessions with evidence are listed, newest first, each client's own and its roles' alone", (t) => {
  const { evidence, clock } = opened(folder(t));
  for (const [id, of] of [
    ["1", { session: "local/a" }],
    ["2", { session: "ci/b", role: "admin" }],
    ["3", { session: "ci/c" }],
    ["4", { session: "local/a", role: "admin" }],
  ] as const) {
    record(evidence, id, of);
    clock.pass(1_000);
  }
  const keys = (scope?: { client: string; roles: string[] }, most = 9) =>
    evidence.newestSessions(scope, most).map(({ key }) => key);
  assert.deepEqual(keys(), ["local/a", "ci/c", "ci/b"]);
  assert.deepEqual(keys(undefined, 1), ["local/a"]);
  assert.deepEqual(keys({ client: "local", roles: [] }), ["local/a"]);
  assert.deepEqual(keys({ client: "nobody", roles: ["admin"] }), ["local/a", "ci/b"]);
  assert.deepEqual(keys({ client: "nobody", roles: [] }), []);
});

test("a call whose plan cannot be written keeps its message", (t) => {
  const { evidence } = opened(folder(t));
  const broken = call("1", { failed: true });
  const plan = () => {
    throw new TypeError("a worker of another version sent no data");
  };
  evidence.ended({ ...broken, failure: { ...(broken.failure as NonNullable<typeof broken.failure>), plan } });
  assert.equal(evidence.read(filter()).calls[0]?.plan, "gone");
});

test("much evidence comes in pages, from either end", (t) => {
  const { evidence, clock } = opened(folder(t));
  for (let each = 0; each < 450; each++) {
    record(evidence, `c${each}`);
    clock.pass(1_000);
  }
  for (const newestFirst of [false, true])
    for (const isBrief of [false, true]) {
      const ids: string[] = [];
      let pages = 0;
      for (let after = ""; pages === 0 || after !== ""; pages++) {
        const page = evidence.read(filter({ after, newestFirst, isBrief }));
        ids.push(...page.calls.map(({ id }) => id));
        after = page.next;
      }
      assert.equal(pages, 3, `${newestFirst} ${isBrief}`);
      if (newestFirst) ids.reverse();
      assert.deepEqual(
        ids,
        Array.from({ length: 450 }, (_, index) => `c${index}`),
      );
    }
});

test("the files have no word of a page, an agent or a plan in plain text", (t) => {
  const file = folder(t);
  const { evidence } = opened(file);
  record(evidence, "1", { failed: true });
  const dir = path.dirname(file);
  const all = readdirSync(dir).map((name) => readFileSync(path.join(dir, name), "latin1"));
  assert.ok(all.join().includes("local/a"), "the files are those that are written");
  assert.ok(!all.join().includes("hidden") && !all.join().includes("browser_click"));
});

test("a part that was moved to another session or call does not open, nor one of a lost key", (t) => {
  const file = folder(t);
  const { evidence } = opened(file);
  record(evidence, "1");
  const database = new DatabaseSync(file);
  database.exec("UPDATE evidence SET session = 'local/b'");
  database.close();
  const [moved] = evidence.read(filter({ session: "local/b" })).calls;
  assert.deepEqual([moved?.call, moved?.seen, moved?.picture], [null, null, null]);
  record(evidence, "2");
  const foreign = opened(file, { ring: new KeyRing([randomBytes(32)]) }).evidence;
  const [lost] = foreign.read(filter()).calls;
  assert.deepEqual([lost?.id, lost?.call, lost?.seen, lost?.picture], ["2", null, null, null]);
  const rotated = opened(file, { ring: new KeyRing([randomBytes(32), key]) }).evidence;
  assert.equal(rotated.read(filter()).calls[0]?.seen?.reply, "hidden reply");
});

test("evidence ages out by itself, also if no further call is recorded", (t) => {
  const { evidence, clock } = opened(folder(t));
  record(evidence, "old");
  clock.pass(LIMITS.age / 2);
  record(evidence, "young");
  clock.pass(LIMITS.age + 700_000);
  assert.deepEqual(idsIn(evidence), []);
});

test("evidence beyond its size goes, the oldest first", (t) => {
  const { evidence, clock } = opened(folder(t), { limits: { size: 2 ** 20, age: 1e12 } });
  for (let each = 0; each < 600; each++) {
    record(evidence, `c${each}`);
    clock.pass(2_000);
  }
  clock.pass(10_000);
  assert.ok(evidence.bytes <= 1.2 * 2 ** 20, `${evidence.bytes} bytes`);
  const left = idsIn(evidence, { newestFirst: true, isBrief: true });
  assert.equal(left[0], "c599");
  assert.ok(left.length > 10 && left.length < 150, `${left.length} calls`);
});

test("evidence beyond its size goes from the client that holds the most, and there from such a role", (t) => {
  const { evidence, clock } = opened(folder(t), { limits: { size: 2 ** 20, age: 1e12 } });
  for (let each = 0; each < 10; each++) {
    record(evidence, `quiet-${each}`, { session: "quiet/a" });
    record(evidence, `calm-${each}`, { session: "loud/calm", role: "calm" });
  }
  for (let each = 0; each < 400; each++) {
    record(evidence, `loud-${each}`, { session: `loud/s${each % 100}` });
    clock.pass(2_000);
  }
  clock.pass(10_000);
  assert.ok(evidence.bytes <= 1.2 * 2 ** 20, `${evidence.bytes} bytes`);
  for (const session of ["quiet/a", "loud/calm"]) {
    const { calls } = evidence.read(filter({ session }));
    assert.equal(calls.length, 10, session);
    assert.ok(
      calls.every(({ call, seen, picture }) => call && seen && picture?.image.length),
      session,
    );
  }
  assert.equal(evidence.read(filter({ session: "loud/s99" })).calls.at(-1)?.id, "loud-399");
  assert.ok(!idsIn(evidence, { session: "loud/s0" }).includes("loud-0"));
  assert.ok(evidence.evicted > 0);
});

test("evidence of a file without shares is counted, and shares that are wrong do not stop the deletion", (t) => {
  const file = folder(t);
  const first = opened(file).evidence;
  for (let each = 0; each < 100; each++) record(first, `c${each}`, { session: `loud/s${each}` });
  record(first, "quiet", { session: "quiet/a" });
  first[Symbol.dispose]();
  const before = new DatabaseSync(file);
  before.exec("DROP TRIGGER evidence_held; DROP TRIGGER evidence_released; DROP TABLE held");
  before.close();
  const small = { size: 2 ** 19, age: 1e12 };
  const { evidence, clock } = opened(file, { limits: small });
  const other = new DatabaseSync(file);
  other.exec("INSERT INTO held VALUES ('ghost/s', 'shop', 'ghost', 900000000, 1)");
  other.close();
  clock.pass(60_000);
  assert.ok(evidence.bytes <= 1.2 * small.size, `${evidence.bytes} bytes`);
  assert.deepEqual(idsIn(evidence, { session: "quiet/a" }), ["quiet"]);
  assert.deepEqual(evidence.sessionsOf("a", undefined), ["quiet/a"]);
});

test("a page of evidence reads the rows of its own calls alone, whatever else the session has", (t) => {
  const file = folder(t);
  const { evidence } = opened(file);
  record(evidence, "1");
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  for (const newestFirst of [true, false])
    for (const roles of [undefined, ["shop", "admin"]])
      for (const { sql, values } of pageQueries(filter({ newestFirst, roles }), 200)) {
        const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values);
        const plan = steps.map(({ detail }) => String(detail)).join("\n");
        assert.match(
          plan,
          /SEARCH part USING (COVERING )?INDEX evidence_in_\w+ \(session=\?.* AND rowid[<>]\?\)/,
        );
        assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/);
      }
});

test("one session cannot store more than its share of a minute: pictures give way to texts", (t) => {
  const { evidence } = opened(folder(t));
  for (let each = 0; each < 200; each++) record(evidence, `c${each}`);
  const { calls } = evidence.read(filter({ isBrief: true, newestFirst: true }));
  assert.equal(calls[0]?.call?.outcome, "OK");
  assert.match(calls[0]?.picture?.missing ?? "", /too many bytes in this minute/);
  assert.equal(calls[0]?.seen?.tool, "browser_click");
  assert.ok(evidence.bytes < 2_000_000, `${evidence.bytes} bytes`);
});

test("a full disk is logged once, harms no call, and evidence is kept again when there is room", (t) => {
  const file = folder(t);
  const { evidence, lines, clock } = opened(file);
  record(evidence, "before");
  const disk = new DatabaseSync(file);
  disk.exec(
    "CREATE TRIGGER full BEFORE INSERT ON evidence BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END",
  );
  record(evidence, "meanwhile");
  record(evidence, "meanwhile too");
  assert.equal(lines.length, 1, lines.join());
  assert.match(lines[0] ?? "", /evidence cannot be written: what happens now is not kept/);
  disk.exec("DROP TRIGGER full");
  disk.close();
  clock.pass(1);
  record(evidence, "after");
  assert.deepEqual(idsIn(evidence), ["before", "after"]);
});

test("a damaged file is set aside with a warning, and a folder that takes no file keeps nothing", (t) => {
  const file = folder(t);
  writeFileSync(file, "no database, but long enough to be looked at as one ".repeat(100));
  const { evidence } = opened(file);
  assert.match(
    String(evidence.warnings),
    /the file of evidence is damaged; it was moved to .*evidence begins anew/,
  );
  assert.ok(existsSync(`${file}.damaged`));
  record(evidence, "1");
  assert.deepEqual(idsIn(evidence), ["1"]);
  const nowhere = opened(path.join(path.dirname(file), "missing", "evidence.db")).evidence;
  assert.match(String(nowhere.warnings), /evidence cannot be kept/);
  record(nowhere, "1");
  assert.deepEqual([idsIn(nowhere), nowhere.bytes], [[], 0]);
});
