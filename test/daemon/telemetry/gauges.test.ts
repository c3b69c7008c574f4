// Figures that are measured at each scrape, on a real daemon, and figures that outlive workers.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";
import { reported, restarted } from "../../harness/role-states.ts";
import { tempDir } from "../../harness/temp-dir.ts";

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

test("the bounds that alerts compare are measured, and a role's go with the role", async () => {
  await using troupe = await testDaemon({
    limits: { sessions: 50, queue: 7 },
    journal: { size: "2MiB" },
    roles: { one: { sessions: 3, memory: "200MiB" }, own: { browser: { connect: "http://127.0.0.1:1" } } },
  });
  await troupe.open("http://a.test/");
  const figures = await scrape(troupe);
  assert.equal(figures.get('troupe_sessions{role="one",state="awake"}'), 1);
  assert.equal(figures.get('troupe_sessions_limit{role="one"}'), 3);
  assert.equal(figures.get("troupe_all_sessions"), 1);
  assert.equal(figures.get("troupe_all_sessions_limit"), 50);
  assert.equal(figures.get('troupe_queue_limit{role="one"}'), 7);
  assert.equal(figures.get('troupe_memory_limit_bytes{role="one"}'), 200 * 2 ** 20);
  assert.equal(figures.get('troupe_memory_limit_bytes{role="own"}'), undefined);
  assert.equal(figures.get("troupe_journal_limit_bytes"), 2 * 2 ** 20);
  assert.ok((figures.get("troupe_journal_bytes") ?? 0) > 0);
  assert.equal(figures.get('troupe_browser_built_timestamp_seconds{role="one"}'), 1_750_000_000);
  assert.equal(figures.get('troupe_browser_built_timestamp_seconds{role="own"}'), undefined);
  assert.equal(figures.get('troupe_worker_restarts_total{role="one",reason="worker-crashed"}'), 0);
  troupe.reload({ roles: { other: {} }, limits: { sessions: 60 } });
  const after = await scrape(troupe);
  assert.equal(after.get("troupe_all_sessions_limit"), 60);
  const gone = [...after.keys()].filter((name) => /role="o(?:ne|wn)"/.test(name) && GAUGES.test(name));
  assert.deepEqual(gone, []);
});

test("a login's end is measured from its file, also after the file has changed", async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "auth.json");
  writeFileSync(file, login(2_000_000_000));
  await using troupe = await testDaemon({
    roles: { one: { auth: file }, lost: { auth: path.join(temp.dir, "none.json") }, open: {} },
  });
  const END = "troupe_login_expires_timestamp_seconds";
  const before = await scrape(troupe);
  assert.equal(before.get(`${END}{role="one"}`), 2_000_000_000);
  assert.equal(before.get('troupe_login_expired{role="one"}'), 0);
  assert.equal(before.get('troupe_login_expired{role="lost"}'), 0);
  for (const role of ["lost", "open"]) assert.equal(before.get(`${END}{role="${role}"}`), undefined);
  assert.equal(before.get('troupe_login_expired{role="open"}'), undefined);
  writeFileSync(file, login(2_100_000_000, "another"));
  assert.equal((await scrape(troupe)).get(`${END}{role="one"}`), 2_100_000_000);
  writeFileSync(file, "no JSON");
  assert.equal((await scrape(troupe)).get(`${END}{role="one"}`), undefined);
});

test("a login that the worker finds expired is measured", async () => {
  using temp = tempDir();
  const file = path.join(temp.dir, "auth.json");
  writeFileSync(file, login(2_000_000_000));
  await using troupe = await testDaemon({ roles: { one: { auth: file } } });
  await reported(troupe, "one", "expired");
  assert.equal((await scrape(troupe)).get('troupe_login_expired{role="one"}'), 1);
});

test("agents that wait for a person are counted, and so is the evidence", async () => {
  await using troupe = await testDaemon({
    roles: { one: {}, two: {} },
    evidence: { size: "3MiB" },
  });
  const waiting = async () => {
    const figures = await scrape(troupe);
    return ["one", "two"].map((role) => figures.get(`troupe_help_waiting{role="${role}"}`));
  };
  assert.deepEqual(await waiting(), [0, 0]);
  for (const session of ["a", "b"])
    await troupe.tool("AskPerson", { why: "Enter the code" }, { session, role: "two" });
  assert.deepEqual(await waiting(), [0, 2]);
  await troupe.ask("CloseSession", { session: "a" });
  assert.deepEqual(await waiting(), [0, 1]);
  const figures = await scrape(troupe);
  assert.equal(figures.get("troupe_evidence_limit_bytes"), 3 * 2 ** 20);
  assert.ok((figures.get("troupe_evidence_bytes") ?? 0) > 0);
  assert.equal(figures.get("troupe_evidence_evicted_total"), 0);
});

test("no counter falls when a worker dies, and the death is counted", async () => {
  await using troupe = await testDaemon({ roles: { one: {} } });
  await troupe.open("http://a.test/");
  await troupe.open("http://do/fail?type=NO_HISTORY&data={}");
  const before = await scrape(troupe);
  await troupe.open("http://do/die");
  await restarted(troupe, "one");
  const after = await scrape(troupe);
  const counters = [...before].filter(([name]) => COUNTERS.test(name));
  assert.ok(counters.length > 20);
  for (const [name, count] of counters) assert.ok((after.get(name) ?? -1) >= count, name);
  assert.equal(after.get('troupe_worker_restarts_total{role="one",reason="worker-crashed"}'), 1);
});

test("scrapes while a worker dies are whole, and agree on the roles", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } });
  await troupe.open("http://a.test/");
  const back = restarted(troupe, "one");
  const dies = troupe.open("http://do/die");
  const scrapes = await Promise.all(Array.from({ length: 20 }, () => scrape(troupe)));
  await Promise.all([dies, back]);
  for (const figures of [...scrapes, await scrape(troupe)]) {
    assert.equal(figures.get("troupe_all_sessions"), 1);
    for (const role of ["one", "two"])
      assert.equal(figures.get(`troupe_sessions_limit{role="${role}"}`), 8, role);
  }
});

const GAUGES = /^troupe_(?:sessions|queue_depth|queue_limit|memory|login|browser|worker_up)/;
const COUNTERS = /^troupe_\w+_(?:total|bucket|sum|count)\b/;

function login(expires: number, value = "x"): string {
  const cookie = { name: "sid", value, domain: "a.test", path: "/", expires, httpOnly: true };
  return JSON.stringify({ cookies: [cookie], origins: [] });
}

/** Returns the figures by series. */
async function scrape({ daemon }: Troupe): Promise<Map<string, number>> {
  const reply = await fetch(new URL("/metrics", daemon.http[0]));
  const lines = (await reply.text()).split("\n").filter((line) => /^\w/.test(line));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ""), Number(/ (\S+)$/.exec(line)?.[1])]));
}
