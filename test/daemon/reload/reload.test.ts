// Reads the configuration again while the daemon runs.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { reaches, restarted } from "../../harness/role-states.ts";
import { LINES } from "../../harness/stand-in/state.ts";
import { sha256 } from "../../harness/tokens.ts";

type Troupe = Awaited<ReturnType<typeof testDaemon>>;

interface State {
  pid: number;
  loginsRead: number;
  role: { startUrl: string };
  /** The data that restored sessions came with. */
  given: { key: string; session?: { tabs: { url: string }[] } }[];
}

async function stateIn(troupe: Troupe, role: string): Promise<State> {
  const { ok, error } = await troupe.open("http://do/state", { role });
  assert.ok(ok, error?.message ?? "");
  return JSON.parse(ok);
}

async function statusOf(troupe: Troupe) {
  const { ok } = await troupe.ask("GetStatus", {});
  assert.ok(ok);
  return ok;
}

test("a role that changed restarts between calls, another is left alone, a new one is there, a removed one gone", async () => {
  // The daemon's own bound ends the call that hangs, because its client waits longer.
  const limits = { callTimeout: "4s" };
  await using troupe = await testDaemon({ limits, roles: { kept: {}, changed: {}, removed: {} } });
  const [kept, changed] = [await stateIn(troupe, "kept"), await stateIn(troupe, "changed")];
  await stateIn(troupe, "removed");
  const inFlight = troupe.open("http://do/hang", { role: "removed", session: "other" });
  await troupe.holds("other");
  troupe.reload({ limits, roles: { kept: {}, changed: { startUrl: "http://new.test/" }, added: {} } });

  assert.equal((await troupe.open("http://a.test/", { role: "removed" })).error?.type, "UNKNOWN_ROLE");
  assert.equal((await stateIn(troupe, "kept")).pid, kept.pid);
  await restarted(troupe, "changed");
  const after = await stateIn(troupe, "changed");
  assert.notEqual(after.pid, changed.pid);
  assert.equal(after.role.startUrl, "http://new.test/");
  assert.deepEqual(
    (await statusOf(troupe)).roles.map(({ name }) => name),
    ["kept", "changed", "added"],
  );
  assert.equal((await troupe.open("http://a.test/", { role: "added" })).ok, "opened http://a.test/");
  assert.equal((await troupe.tool("SelectRole", { role: "added" })).ok?.role, "added");
  assert.equal((await inFlight).error?.type, "TIMEOUT", "calls under way in the removed role go on");
});

test("a session whose current role is gone gets an error, and keeps its role", async () => {
  await using troupe = await testDaemon({ roles: { one: {}, two: {} } });
  await troupe.tool("SelectRole", { role: "two" });
  troupe.reload({ roles: { one: {} } });
  const { error } = await troupe.open("http://a.test/");
  assert.equal(error?.type, "UNKNOWN_ROLE");
  await troupe.tool("SelectRole", { role: "one" });
  assert.equal((await troupe.open("http://a.test/")).ok, "opened http://a.test/");
});

test("an invalid configuration changes nothing, and each of its problems is reported", async () => {
  await using troupe = await testDaemon({ roles: { a: {} } });
  const { pid } = await stateIn(troupe, "a");
  troupe.reload({
    roles: { a: { startUrl: "http://new.test/", sesions: 3 }, "b/c": {} },
    limits: { queue: -1 },
  });
  const { configProblems, roles } = await statusOf(troupe);
  const problems = configProblems.join("\n");
  for (const each of [/sesions.*sessions/, /b\/c/, /limits\.queue/]) assert.match(problems, each);
  assert.deepEqual(
    roles.map(({ name, startUrl }) => [name, startUrl]),
    [["a", ""]],
  );
  assert.equal((await stateIn(troupe, "a")).pid, pid);
  assert.ok(troupe.lines.some((line) => /not valid/.test(line) && /sesions/.test(line)));

  troupe.reload("{");
  assert.notDeepEqual((await statusOf(troupe)).configProblems, []);
  troupe.reload({ roles: { a: {} } });
  assert.deepEqual((await statusOf(troupe)).configProblems, []);
  assert.equal((await stateIn(troupe, "a")).pid, pid);
});

test("a half-written certificate changes nothing, neither doors nor other keys", async () => {
  using certificates = certificateFolder();
  const { tls, file } = certificates;
  const roles = { a: {} };
  await using troupe = await testDaemon({ tls, roles });
  const whole = readFileSync(tls.cert, "utf8");
  const halves = [whole + whole.slice(0, whole.length / 2), whole.slice(0, whole.length / 2), ""];
  // OpenSSL requires the END line on a line of its own.
  halves.push(`${whole.trimEnd()}${whole.slice(-100)}`);
  for (const text of halves) {
    writeFileSync(tls.cert, text);
    troupe.reload({ tls, roles: { b: {} }, limits: { callTimeout: "1s" }, log: { level: "warn" } });
    const { configProblems, roles: there } = await statusOf(troupe);
    assert.match(
      configProblems.join(),
      /troupe\.yaml:\d+: tls\.cert is .*server\.crt, which (holds no|is cut short)/,
    );
    assert.deepEqual([there.map(({ name }) => name), troupe.log.level], [["a"], "debug"]);
    assert.equal(troupe.config.limits.callTimeout, 30_000);
  }
  const handshake = await fetchOver(troupe.daemon.http[0] ?? "", file("ca.crt"));
  assert.equal(handshake, 200, "the door speaks TLS as before");
  writeFileSync(tls.cert, whole);
  troupe.reload({ tls, roles });
  assert.deepEqual((await statusOf(troupe)).configProblems, []);
});

/** Resolves with the status of a request to a TLS door. */
async function fetchOver(address: string, ca: string): Promise<number | undefined> {
  const asked = get(`${address}/livez`, { ca: readFileSync(ca), agent: false });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test("a reload never throws, whatever the error", async () => {
  const broken = () => {
    throw new TypeError("nobody foresaw this");
  };
  await using troupe = await testDaemon({}, { load: broken });
  troupe.daemon.reload();
  assert.match((await statusOf(troupe)).configProblems.join(), /nobody foresaw this; see the daemon's log/);
});

test("limits and the log's level apply at once, without a worker's restart", async () => {
  await using troupe = await testDaemon({ roles: { a: { sessions: 1 } } });
  const { pid } = await stateIn(troupe, "a");
  const waiting = troupe.open("http://do/state", { session: "second" });
  troupe.reload({ roles: { a: { sessions: 2 } }, log: { level: "warn" }, limits: { callTimeout: "1s" } });
  assert.equal(JSON.parse((await waiting).ok ?? "{}").pid, pid, "who waited has the place that was added");
  assert.equal(troupe.log.level, "warn");
  assert.equal((await troupe.open("http://do/hang")).error?.type, "TIMEOUT");
});

test("keys that are fixed at the start are reported to apply from the next one", async () => {
  await using troupe = await testDaemon();
  troupe.reload({ journal: { age: "2d" } });
  assert.ok((await statusOf(troupe)).warnings.includes("journal: holds from the daemon's next start"));
});

test("a changed login file is read again for later sessions", async () => {
  await using troupe = await testDaemon({ roles: { a: { auth: "a.json" }, b: {} } });
  assert.equal((await stateIn(troupe, "a")).loginsRead, 0);
  writeFileSync(path.join(troupe.dir, "other.json"), "{}");
  writeFileSync(path.join(troupe.dir, "a.json"), "{}");
  writeFileSync(path.join(troupe.dir, "a.json"), "{ }");
  await troupe.logged(LINES.loginRead);
  assert.equal((await stateIn(troupe, "a")).loginsRead, 1, "once for all changes that came together");
  assert.equal((await stateIn(troupe, "b")).loginsRead, 0);
});

test("a role that did not start without its login starts when the file appears", async () => {
  const file = "a.json";
  await using troupe = await testDaemon({ roles: { b: {} } });
  const mended = path.join(troupe.dir, file);
  const args = ["--fail-start=AUTHENTICATION_FAILED", `--mended-by=${mended}`];
  troupe.reload({ roles: { a: { auth: file, authRequired: true, browser: { args } } } });
  assert.equal((await troupe.open("http://a.test/", { role: "a" })).error?.type, "AUTHENTICATION_FAILED");
  writeFileSync(mended, "{}");
  await reaches(troupe, "a", "ROLE_STATE_READY");
});

test("a token that is replaced is refused from then on, and the new one let in", async () => {
  const tokens = (token: string) => [{ name: "ci", sha256: sha256(token), control: "read" }];
  await using troupe = await testDaemon({ tokens: tokens("before") });
  const statusFor = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${troupe.daemon.http[0]}/metrics`, { headers })).status;
  };
  assert.deepEqual([await statusFor("before"), await statusFor("after")], [200, 401]);
  troupe.reload({ tokens: tokens("after") });
  assert.deepEqual([await statusFor("before"), await statusFor("after")], [401, 200]);
});

async function metricsOf({ daemon, config }: Troupe): Promise<string> {
  const headers = { authorization: `Bearer ${readFileSync(config.state.token, "utf8").trim()}` };
  return (await fetch(`${daemon.http[0]}/metrics`, { headers })).text();
}

test("a role removed and added again during a call works again, and its sessions get an error", async () => {
  const limits = { callTimeout: "4s" };
  await using troupe = await testDaemon({ limits, roles: { a: {}, b: {} } });
  await troupe.open("http://a.test/", { role: "a" });
  const inFlight = troupe.open("http://do/hang", { role: "a", session: "other" });
  inFlight.catch(() => undefined);
  await troupe.holds("other");
  troupe.reload({ limits, roles: { b: {} } });
  assert.doesNotMatch(await metricsOf(troupe), /^troupe_(worker_up|memory_bytes)\{role="a"/m);
  troupe.reload({ limits, roles: { a: {}, b: {} } });

  const { error } = await troupe.open("http://do/state", { role: "a" });
  assert.equal(error?.type, "WORKER_RESTARTED");
  assert.match(error.message, /taken out of the configuration and put back/);
  const { given } = await stateIn(troupe, "a");
  assert.deepEqual(
    given.filter(({ key }) => key !== "").map(({ key, session }) => [key, session?.tabs[0]?.url]),
    [["local/s1", "http://a.test/"]],
    "its tabs are there again",
  );
  assert.equal((await inFlight).error?.type, "TIMEOUT");
  assert.match(await metricsOf(troupe), /^troupe_worker_up\{role="a"\} 1$/m);
  // The earlier worker ends after that.
  await troupe.logged(/"role":"a".*"STOPPED"/);
  assert.match(await metricsOf(troupe), /^troupe_worker_up\{role="a"\} 1$/m);
  assert.equal((await troupe.open("http://a.test/", { role: "a" })).ok, "opened http://a.test/");
});

test("a session that is only watched ends like an idle one, and its watch with it", async () => {
  await using troupe = await testDaemon({ limits: { sessionIdle: "1s" } });
  const watch = troupe.stream("Browser.Watch", {}, { session: "watched" });
  watch.resume();
  const [status] = (await once(watch, "error")) as [ServiceError];
  assert.equal(fromStatus(status)?.type, "SESSION_EXPIRED");
});

test("other keys seal what is stored from now on, and the old ones still open it", async () => {
  await using troupe = await testDaemon({ roles: { shop: {} } });
  const [first, second] = ["first.key", "second.key"].map((name) => {
    writeFileSync(path.join(troupe.dir, name), randomBytes(32).toString("hex"), { mode: 0o600 });
    return name;
  });
  troupe.reload({ roles: { shop: {} }, stateKeys: [first] });
  assert.equal((await troupe.open("http://do/store", { session: "a" })).ok, "stored");
  troupe.reload({ roles: { shop: {} }, stateKeys: [second, first] });
  await troupe.logged(/"applied":\["stateKeys"\]/, 2);
  assert.equal((await troupe.open("http://do/store", { session: "b" })).ok, "stored");
  using stored = new DatabaseSync(troupe.config.state.sessions, { readOnly: true });
  const keys = stored.prepare("SELECT DISTINCT session, key_id FROM parts").all();
  assert.equal(new Set(keys.map(({ key_id: id }) => id)).size, 2, JSON.stringify(keys));
  troupe.reload({ roles: { shop: {} }, stateKeys: ["none.key"] });
  assert.match((await statusOf(troupe)).configProblems.join(), /stateKeys\[0\] is none\.key/);
});
