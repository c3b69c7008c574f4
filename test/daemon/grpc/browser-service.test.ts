import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { fromStatus } from "../../../proto/errors/status.ts";
import type { SnapshotResponse } from "../../../proto/gen/troupe.ts";
import { SESSION } from "../../../proto/wire/metadata.ts";
import { unaryBytes } from "../../harness/calls.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { reaches } from "../../harness/role-states.ts";
import { shared } from "../../harness/shared.ts";
import { LINES } from "../../harness/stand-in/state.ts";

const troupe = shared(
  await testDaemon({
    roles: { one: { eager: true }, two: { eager: true, startUrl: "http://two.test/" } },
    limits: { callTimeout: "2s" },
  }),
);
// A worker may take longer to start than the call timeout of this test.
for (const name of ["one", "two"]) await reaches(troupe, name, "ROLE_STATE_READY");

/** Returns the worker's own state. */
async function state(given: { session?: string; role?: string } = {}) {
  const { ok = "{}" } = await troupe.open("http://do/state", given);
  return JSON.parse(ok) as {
    pid: number;
    deadline: number;
    key: string;
    role: { name: string };
    metadata: Record<string, string>;
  };
}

/** Sends raw bytes to a method. Resolves with the reply or the error. */
function raw(rpc: string, bytes: Buffer, headers = {}): Promise<ServiceError | Buffer> {
  const settings = { headers: { [SESSION]: "s1", ...headers }, deadlineMs: 8000 };
  return unaryBytes(troupe.client, `Browser.${rpc}`, bytes, settings).catch((error: ServiceError) => error);
}

const snapshot = (request: object, session = "s1") =>
  troupe.stream<SnapshotResponse>("Browser.Snapshot", request, { session, deadlineMs: 8000 });

test("a call goes to the session's current role, and one that names a role to that one alone", async () => {
  assert.equal((await state()).role.name, "one");
  assert.equal((await state({ role: "two" })).role.name, "two");
  assert.equal((await state()).role.name, "one");
});

test("select_role moves the session, and the others stay where they are", async () => {
  const { ok } = await troupe.tool("SelectRole", { role: "two" }, { session: "mover" });
  assert.match(ok?.text ?? "", /^Current role: two\n[\s\S]*^two \(current\): .*http:\/\/two\.test\/$/m);
  assert.equal((await state({ session: "mover" })).role.name, "two");
  assert.equal((await state({ session: "stayer" })).role.name, "one");
});

test("list_current_roles returns a line for each role", async () => {
  const { ok } = await troupe.tool("ListCurrentRoles", {});
  assert.match(
    ok?.text ?? "",
    /^one \(current\): READY, no login\ntwo: (READY|STOPPED), no login, http:\/\/two\.test\/$/,
  );
  assert.deepEqual(
    ok?.roles.map(({ name, current }) => [name, current]),
    [
      ["one", true],
      ["two", false],
    ],
  );
});

test("the error for an unknown role names the nearest", async () => {
  const { error } = await troupe.tool("SelectRole", { role: "twoo" });
  assert.equal(error?.type, "UNKNOWN_ROLE");
  assert.deepEqual(error?.details, { role: "twoo", roles: ["one", "two"], nearest: "two" });
  assert.equal((await troupe.open("http://a.test/", { role: "ONE" })).error?.details.nearest, "one");
});

test("the worker gets the session by its key, the role, and a request id, and the client the same id back", async () => {
  const { key, metadata } = await state({ session: "known" });
  assert.equal(key, "local/known");
  assert.deepEqual([metadata["x-troupe-session"], metadata["x-troupe-role"]], ["known", "one"]);
  assert.match(metadata["x-request-id"] ?? "", /^[\w-]{36}$/);
});

for (const [what, given, problem] of [
  ["no session", { session: "" }, /x-troupe-session is missing/],
  ["a session with a blank", { session: "a b" }, /x-troupe-session is not well formed/],
  ["a session that is too long", { session: "x".repeat(129) }, /not well formed/],
  ["an unknown profile", { headers: { "x-troupe-profile": "cor" } }, /x-troupe-profile names no profile/],
  ["another version", { headers: { "x-troupe-version": "9.0.0" } }, /another version/],
] as const) {
  test(`a call with ${what} is INVALID_ARGUMENT naming the header`, async () => {
    const { error } = await troupe.open("http://a.test/", given);
    assert.equal(error?.type, "INVALID_ARGUMENT");
    assert.match(error.message, problem);
  });
}

test("a session named twice is refused", async () => {
  const failed = await raw("Navigate", Buffer.alloc(0), { [SESSION]: ["s1", "other"] });
  assert.ok(failed instanceof Error);
  assert.match(fromStatus(failed)?.message ?? "", /x-troupe-session is not well formed/);
});

test("an error of the worker arrives as it was sent", async () => {
  const { error, status } = await troupe.open(
    `http://do/fail?type=NO_HISTORY&data=${encodeURIComponent('{"url":"http://a.test/"}')}`,
  );
  assert.equal(error?.type, "NO_HISTORY");
  assert.deepEqual(error.details, { url: "http://a.test/" });
  assert.equal(status?.details, "The tab's history has nothing before http://a.test/.");
});

test("an error raised here repeats the call's arguments in its steps", async () => {
  const { error } = await troupe.open("http://a.test/", { role: "oen" });
  assert.deepEqual(error?.steps.at(-1)?.arguments, { url: "http://a.test/", role: "one" });
});

test("malformed requests are INVALID_ARGUMENT, for the worker's tools and for the daemon's", async () => {
  for (const rpc of ["Navigate", "SelectRole"]) {
    const failed = await raw(rpc, Buffer.from([0x0a, 0xff, 0xff, 0xff]));
    assert.ok(failed instanceof Error);
    assert.match(
      fromStatus(failed)?.message ?? "no details",
      new RegExp(`the request's bytes are no troupe.v1.${rpc}Request`),
    );
  }
});

test("the error for a large request has its size", async () => {
  const failed = await raw("Navigate", Buffer.alloc(5_000_000));
  assert.ok(failed instanceof Error);
  assert.match(fromStatus(failed)?.message ?? "", /the request has 5000000 bytes, at most 4194304/);
});

test("a reply of many megabytes passes, one beyond the limit is RESULT_TOO_LARGE", async () => {
  assert.equal((await troupe.open("http://do/large?bytes=8000000")).ok?.length, 8_000_000);
  const { error } = await troupe.open("http://do/large?bytes=68000000", { deadlineMs: 8000 });
  assert.equal(error?.type, "RESULT_TOO_LARGE");
});

test("a stream arrives whole and in order, even if it is read slowly", async () => {
  const stream = snapshot({ depth: 100 });
  let [chunks, bytes] = [0, 0];
  for await (const { header, chunk } of stream as AsyncIterable<SnapshotResponse>) {
    if (header) assert.equal(chunks, 0);
    bytes += chunk?.length ?? 0;
    chunks++;
  }
  assert.deepEqual([chunks, bytes], [101, 100 * 65_536]);
});

test("snapshots are measured by their kind", async () => {
  for await (const part of snapshot({ depth: 2 }) as AsyncIterable<SnapshotResponse>) assert.ok(part);
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  assert.match(body, /^troupe_snapshot_bytes_count\{kind="full"\} [1-9]/m);
  assert.match(body, /^troupe_snapshot_duration_seconds_count\{kind="full"\} [1-9]/m);
});

test("a stream that fails half-way ends with the worker's error", async () => {
  const stream = snapshot({ depth: 10, offset: 3 });
  const read = async () => {
    for await (const part of stream as AsyncIterable<SnapshotResponse>) assert.ok(part);
  };
  await assert.rejects(read, (error: ServiceError) => fromStatus(error)?.type === "PAGE_CRASHED");
});

test("a stalled reader stops the worker's stream, and a cancellation ends it", async () => {
  const stream = snapshot({ depth: 5000 }, "stalled");
  stream.on("error", (error: ServiceError) => assert.equal(error.code, 1));
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once("data", () => {
    stream.pause();
    resolve();
  });
  await promise;
  stream.cancel();
  await troupe.cancelled("stalled");
  await troupe.ask("CloseSession", { session: "stalled" });
});

test("a session whose client left before a whole reply is marked for the worker, once", async () => {
  const session = "cut";
  const isMarked = async () => "x-troupe-may-lack" in (await state({ session })).metadata;
  for await (const part of snapshot({ depth: 2 }, session) as AsyncIterable<SnapshotResponse>)
    assert.ok(part);
  assert.equal(await isMarked(), false, "it had all of it");
  // The client stops reading, and does not hold this many chunks.
  const stream = snapshot({ depth: 26 }, session);
  stream.on("error", (error: ServiceError) => assert.equal(error.code, 1));
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once("data", () => {
    stream.pause();
    resolve();
  });
  await promise;
  stream.cancel();
  await troupe.logged(/"session":"cut".*"outcome":"CANCELLED"/);
  assert.equal(await isMarked(), true);
  assert.equal(await isMarked(), false);
  await troupe.ask("CloseSession", { session });
});

test("a client that cancels its call cancels it in the worker", async () => {
  const cancel = new AbortController();
  const hung = troupe.open("http://do/hang", { session: "c", signal: cancel.signal });
  const failed = assert.rejects(hung, { code: 1 });
  await troupe.holds("c");
  cancel.abort();
  await failed;
  await troupe.cancelled("c");
});

test("the earlier of the client's deadline and the configured one goes to the worker, a little ahead of the client's", async () => {
  let now = Date.now();
  assert.ok((await state()).deadline - now <= 2100);
  // Measured from the start of this call, because the duration of the first call does not matter.
  now = Date.now();
  const { ok = "{}" } = await troupe.open("http://do/state", { deadlineMs: 1000 });
  assert.ok(JSON.parse(ok).deadline - now <= 1000);
});

test("a call that the worker never answers ends with TIMEOUT at the configured deadline", async () => {
  const { error } = await troupe.open("http://do/hang", { session: "t" });
  assert.equal(error?.type, "TIMEOUT");
  assert.equal(error.details.waitedFor, "the reply to browser_navigate");
  assert.equal(error.role, "one");
});

test("a client with an earlier deadline gets TIMEOUT before it stops listening", async () => {
  assert.equal(
    (await troupe.open("http://do/hang", { session: "t", deadlineMs: 1000 })).error?.type,
    "TIMEOUT",
  );
});

test("a client that resumes an unknown session gets SESSION_LOST, once", async () => {
  const given = { session: "resumed", headers: { "x-troupe-resume": "1" } };
  assert.equal((await troupe.open("http://a.test/", given)).error?.type, "SESSION_LOST");
  assert.equal((await troupe.open("http://a.test/", given)).ok, "opened http://a.test/");
});

test("a failure before the session has its worker is recorded with the session and its role", async () => {
  const session = "turned-away";
  const resumes = { session, headers: { "x-troupe-resume": "1" } };
  assert.equal((await troupe.open("http://a.test/", resumes)).error?.type, "SESSION_LOST");
  assert.equal((await troupe.open("http://a.test/", resumes)).ok, "opened http://a.test/");
  const wrong = { session, role: "nowhere" };
  assert.equal((await troupe.open("http://a.test/", wrong)).error?.type, "UNKNOWN_ROLE");
  assert.ok((await troupe.open("http://a.test/", { session })).ok);
  const { error } = await troupe.open("http://a.test/", { session, role: "twoo" });
  assert.deepEqual([error?.type, error?.role], ["UNKNOWN_ROLE", "twoo"]);
  assert.ok((await troupe.open("http://a.test/", { session, role: "two" })).ok);
  const { ok } = await troupe.ask("ListCalls", { session });
  assert.deepEqual(
    ok?.calls.map(({ role, outcome }) => [role, outcome]),
    [
      ["one", "SESSION_LOST"],
      ["one", "OK"],
      ["one", "UNKNOWN_ROLE"],
      ["one", "OK"],
      ["two", "UNKNOWN_ROLE"],
      ["two", "OK"],
    ],
  );
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  const recovered = (type: string, role: string) =>
    new RegExp(
      `^troupe_error_episodes_total\\{type="${type}",role="${role}",outcome="recovered"\\} [1-9]`,
      "m",
    );
  assert.match(body, recovered("SESSION_LOST", "one"));
  assert.match(body, recovered("UNKNOWN_ROLE", "one"));
  assert.match(body, recovered("UNKNOWN_ROLE", "two"));
});

test("closing a session disposes it in the worker, and ends its calls", async () => {
  await troupe.open("http://a.test/", { session: "closing" });
  const hung = troupe.open("http://do/hang", { session: "closing" });
  await troupe.holds("closing");
  assert.ok((await troupe.ask("CloseSession", { session: "closing" })).ok);
  assert.equal((await hung).error?.type, "SESSION_EXPIRED");
  await troupe.logged(LINES.ended("local/closing"));
  assert.equal((await troupe.ask("CloseSession", { session: "closing" })).error?.type, "SESSION_EXPIRED");
});

test("calls are counted by tool, role and outcome, and nothing a client sends becomes a label", async () => {
  await troupe.open("http://a.test/", { role: "made-up-role" });
  const body = await (await fetch(`${troupe.daemon.http[0]}/metrics`)).text();
  assert.match(body, /^troupe_calls_total\{tool="browser_navigate",role="one",code="OK"\} \d+$/m);
  assert.match(
    body,
    /^troupe_errors_total\{type="TIMEOUT",category="TIMEOUT",tool="browser_navigate",role="one"\} \d+$/m,
  );
  assert.match(
    body,
    /^troupe_errors_total\{type="UNKNOWN_ROLE",category="VALIDATION",tool="browser_navigate",role="one"\} \d+$/m,
  );
  assert.doesNotMatch(body, /made-up-role/);
});

test("the log has calls with their request ids, never with their arguments", async () => {
  const headers = { "x-request-id": "my-request" };
  await troupe.open("http://secret.test/", { role: "nowhere", headers });
  const line = troupe.lines.find((each) => each.includes("my-request"));
  assert.equal(JSON.parse(line ?? "{}").outcome, "UNKNOWN_ROLE");
  assert.ok(troupe.lines.every((each) => !each.includes("secret.test")));
});
