// Sessions in the state folder: kept beyond the daemon's death, encrypted, and without harm to calls.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { KeyRing } from "../../../daemon/core/key-ring.ts";
import type { Session } from "../../../daemon/sessions/session.ts";
import { tabsPart } from "../../../daemon/store/sealed-parts.ts";
import { addressIn } from "../../../daemon/store/session-store.ts";
import { SqliteStore } from "../../../daemon/store/sqlite-store.ts";
import { fakeClock } from "../../harness/fake-clock.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const key = randomBytes(32);

function folder(t: TestContext) {
  const temp = tempDir();
  t.after(() => temp[Symbol.dispose]());
  return path.join(temp.dir, "sessions.db");
}

function opened(file: string, ring = new KeyRing([key])) {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  return { kept: new SqliteStore(file, ring, fakeClock(), log), lines };
}

const session = (id: string, roles: string[] = ["shop"]): Session => ({
  id,
  client: "local",
  key: `local/${id}`,
  currentRole: "shop",
  createdAtMs: 1_000,
  usedAtMs: 2_000,
  since: { created: 0, used: 0 },
  before: undefined,
  visits: new Map(roles.map((role) => [role, { state: "AWAKE", deathsKnown: 0 }])),
  over: new AbortController(),
  callsUnderWay: 0,
  hasAnswered: true,
  mayLack: new Set(),
  hold: { streams: 0, endedAtMs: undefined },
});
const tabs = (id: string) => ({
  key: `local/${id}`,
  tabs: [{ id: "t1", url: "https://shop.example/?token=hidden", title: "Shop", current: true }],
  nextTab: 2,
  typed: [],
  lostByRest: [],
  debugger: null,
  emulated: null,
  targets: [],
});
const part = (name: string, text: string) => ({ name, data: Buffer.from(text) });
const texts = (parts: { name: string; data: Uint8Array }[]) =>
  parts.map(({ name, data }) => [name, Buffer.from(data).toString()]);

test("a session's latest state survives the daemon's death, and is deleted at its end", async (t) => {
  const file = folder(t);
  const first = opened(file).kept;
  first.used(session("a", ["shop", "admin"]));
  first.keepParts("shop", "local/a", [tabsPart(tabs("a"))]);
  first.keepParts("shop", "local/a", [part("cookies", "one"), part("local https://a.test", "two")]);
  first.keepParts("shop", "local/a", [part("cookies", "three"), part("local https://a.test", "")]);
  first.keepParts("admin", "local/a", [part("cookies", "other role")]);
  // As when the process is killed, nothing is closed.
  const { kept } = opened(file);
  assert.deepEqual(kept.sessions(), [
    {
      key: "local/a",
      id: "a",
      client: "local",
      currentRole: "shop",
      createdAtMs: 1_000,
      usedAtMs: 2_000,
      roles: ["shop", "admin"],
      resting: [],
    },
  ]);
  const resting = session("a", ["shop", "admin"]);
  resting.visits.set("admin", { state: "HIBERNATED", isReported: false });
  first.used(resting);
  assert.deepEqual(kept.sessions()[0]?.resting, ["admin"]);
  assert.deepEqual(kept.tabsOf("shop", "local/a"), tabs("a"));
  assert.deepEqual(texts(await kept.partsOf("shop", "local/a")), [["cookies", "three"]]);
  kept.keepParts("shop", "local/a", [part("steps 0", "four")]);
  assert.deepEqual(texts(await kept.partsOf("shop", "local/a", "steps")), [["steps 0", "four"]]);
  kept.forget("shop", "local/a");
  assert.deepEqual([await kept.partsOf("shop", "local/a"), kept.tabsOf("shop", "local/a")], [[], undefined]);
  assert.equal((await kept.partsOf("admin", "local/a")).length, 1);
  kept.over("local/a");
  assert.deepEqual([kept.sessions(), await kept.partsOf("admin", "local/a")], [[], []]);
  kept[Symbol.dispose]();
  first[Symbol.dispose]();
});

test("the files have no address, cookie or storage in plain text", (t) => {
  const file = folder(t);
  const { kept } = opened(file);
  kept.keepParts("shop", "local/a", [tabsPart(tabs("a"))]);
  kept.keepParts("shop", "local/a", [part("cookies", "hidden"), part("local https://a.test", "hidden")]);
  const dir = path.dirname(file);
  const all = readdirSync(dir).map((name) => readFileSync(path.join(dir, name), "latin1"));
  assert.ok(all.join().includes("local https://a.test"), "the files are those that are written");
  assert.ok(!all.join().includes("hidden"));
  kept[Symbol.dispose]();
});

test("keys can be rotated; without the old key, its parts are dropped with a warning", async (t) => {
  const file = folder(t);
  const fresh = randomBytes(32);
  const write = opened(file).kept;
  write.used(session("a"));
  write.keepParts("shop", "local/a", [part("cookies", "one")]);
  write[Symbol.dispose]();
  const rotated = opened(file, new KeyRing([fresh, key]));
  assert.deepEqual(texts(await rotated.kept.partsOf("shop", "local/a")), [["cookies", "one"]]);
  assert.deepEqual(rotated.kept.warnings, []);
  rotated.kept[Symbol.dispose]();
  const alone = opened(file, new KeyRing([fresh]));
  assert.deepEqual(texts(await alone.kept.partsOf("shop", "local/a")), [["cookies", "one"]]);
  alone.kept[Symbol.dispose]();
  const foreign = opened(file, new KeyRing([randomBytes(32)]));
  assert.match(
    String(foreign.kept.warnings),
    /^1 parts of kept sessions were dropped: none of stateKeys opens/,
  );
  assert.deepEqual(await foreign.kept.partsOf("shop", "local/a"), []);
  assert.equal(foreign.kept.sessions().length, 1, "the session itself goes on");
  foreign.kept[Symbol.dispose]();
});

test("a part that was moved to another session does not open", async (t) => {
  const file = folder(t);
  const { kept } = opened(file);
  kept.keepParts("shop", "local/a", [part("cookies", "one")]);
  const database = new DatabaseSync(file);
  database.exec("UPDATE parts SET session = 'local/b'");
  database.close();
  assert.deepEqual(await kept.partsOf("shop", "local/b"), []);
  kept[Symbol.dispose]();
});

test("a damaged file is set aside with a warning, and begun again", (t) => {
  const file = folder(t);
  writeFileSync(file, "no database, but long enough to be looked at as one ".repeat(100));
  const { kept, lines } = opened(file);
  assert.match(
    String(kept.warnings),
    /the file of sessions is damaged; it was moved to .*sessions\.db\.damaged/,
  );
  assert.equal(lines.length, 1);
  kept.used(session("a"));
  assert.equal(kept.sessions().length, 1);
  kept[Symbol.dispose]();
});

test("a file with a broken page is found at the start, set aside with a warning, and begun again", (t) => {
  const file = folder(t);
  const { kept: written } = opened(file);
  for (let each = 0; each < 40; each++) {
    written.used(session(`s${each}`));
    written.keepParts("shop", `local/s${each}`, [{ name: "cookies", data: randomBytes(3_000) }]);
  }
  written[Symbol.dispose]();
  const bytes = readFileSync(file);
  // SQLite's pages have 4 KiB here. The last ones hold the parts.
  writeFileSync(file, bytes.fill(0xff, bytes.length - 2 * 4096));
  const { kept } = opened(file);
  assert.match(String(kept.warnings), /the file of sessions is damaged; it was moved to/);
  assert.deepEqual(kept.sessions(), []);
  kept[Symbol.dispose]();
});

test("a later version's file is set aside, and that version takes it back with its content", (t) => {
  const file = folder(t);
  const write = opened(file).kept;
  write.used(session("later"));
  write[Symbol.dispose]();
  const version = (number: number) => {
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${number}`);
    database.close();
  };
  version(2);
  const { kept } = opened(file);
  assert.match(String(kept.warnings), /of a later version \(2\); it was moved to .*\.v2/);
  assert.deepEqual(kept.sessions(), []);
  kept[Symbol.dispose]();
  assert.ok(existsSync(`${file}.v2`));
  // As if an earlier version had set this version's file aside.
  const aside = new DatabaseSync(`${file}.v2`);
  aside.exec(`PRAGMA user_version = 1; VACUUM INTO '${file}.v1'`);
  aside.close();
  const again = opened(file).kept;
  assert.match(String(again.warnings), /of this version was taken back; .* was moved to .*\.earlier/);
  assert.deepEqual(
    again.sessions().map(({ id }) => id),
    ["later"],
  );
  assert.ok(!existsSync(`${file}.v1`));
  again[Symbol.dispose]();
});

test("parts of ended sessions are deleted", async (t) => {
  const file = folder(t);
  const { kept } = opened(file);
  kept.used(session("a"));
  for (const key of ["local/a", "local/gone", ""]) kept.keepParts("shop", key, [part("cookies", "one")]);
  kept.keepParts("empty", "", [part("cookies", "one")]);
  kept.tidy();
  const left = ["local/a", "local/gone", ""].map(async (key) => (await kept.partsOf("shop", key)).length);
  assert.deepEqual(await Promise.all(left), [1, 0, 1]);
  assert.deepEqual(await kept.partsOf("empty", ""), []);
  kept[Symbol.dispose]();
});

test("an unreadable or unwritable file causes a warning, and fails no call", (t) => {
  const file = folder(t);
  const { kept, lines } = opened(file);
  kept.used(session("a"));
  assert.equal(kept.keepParts("shop", "local/a", [tabsPart(tabs("a"))]), true);
  assert.equal(kept.problem, undefined);
  assert.equal(addressIn(kept.tabsOf("shop", "local/a")), "https://shop.example/?token=hidden");
  const other = new DatabaseSync(file);
  other.exec("DROP TABLE parts");
  other.close();
  assert.equal(addressIn(kept.tabsOf("shop", "local/a")), undefined);
  assert.equal(kept.keepParts("shop", "local/a", [tabsPart(tabs("a"))]), false);
  assert.match(String(kept.problem), /no such table: parts/);
  assert.equal(lines.length, 2, lines.join());
});
