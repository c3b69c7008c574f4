import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { testDaemon } from "../../harness/daemon.ts";
import { type RestReply, restClient } from "../../harness/rest.ts";
import { reaches } from "../../harness/role-states.ts";
import { shared } from "../../harness/shared.ts";
import { LINES } from "../../harness/stand-in/state.ts";

const troupe = shared(
  await testDaemon({
    roles: { one: { sessions: 2 }, two: { startUrl: "http://two.test/" } },
    limits: { queueWait: "300ms" },
  }),
);
const rest = restClient(troupe.daemon.http[0] ?? "", troupe.config.state.token);

const open = (url: string, headers: Record<string, string> = {}) =>
  rest.call("browser_navigate", { url }, { headers });

/** Returns a call as the worker saw it. */
async function seenByWorker(headers: Record<string, string> = {}) {
  const { json } = await open("http://do/state", headers);
  return JSON.parse(json.text) as {
    key: string;
    role: { name: string };
    metadata: Record<string, string>;
  };
}

const problem = ({ status, headers, json }: RestReply) => [status, headers["content-type"], json.error?.type];
const PROBLEM = "application/problem+json";

test("a tool's answer is its text, its data and its page", async () => {
  const { status, headers, json } = await open("http://a.test/");
  assert.deepEqual([status, headers["content-type"]], [200, "application/json; charset=utf-8"]);
  assert.deepEqual([json.success, json.text], [true, "opened http://a.test/"]);
  assert.deepEqual(Object.keys(json), ["success", "text", "data", "page"]);
  assert.deepEqual(Object.keys(json.data ?? {}), [
    "requestedUrl",
    "finalUrl",
    "status",
    "redirects",
    "timeMs",
  ]);
  assert.deepEqual(json.page, {
    role: "one",
    session: "rest",
    tab: "t1",
    url: "http://a.test/",
    title: "",
    snapshotId: 0,
  });
});

test("a failed tool is an answer too, with a text for the model and an error for programs", async () => {
  const data = { ref: "e5", role: "button", name: "Save", tag: "button" };
  const url = `http://do/fail?type=STALE_REF&data=${encodeURIComponent(JSON.stringify(data))}`;
  const { status, json } = await open(url);
  assert.deepEqual([status, json.success], [200, false]);
  assert.deepEqual(Object.keys(json), ["success", "text", "error"]);
  assert.match(
    json.text,
    /^❌ Stale Element Reference\n[\s\S]*🔧 Action Required:\n1\. Call browser_snapshot\(\)/,
  );
  assert.deepEqual([json.error?.type, json.error?.details], ["STALE_REF", data]);
  const { error } = await troupe.open(url, { session: "rest" });
  assert.deepEqual({ ...json.error, at: "" }, { ...error, at: "" });
});

test("a model's mistakes are repaired or answered with the right call, as at the other doors", async () => {
  const wrapped = await rest.call("browser_navigate", { arguments: '{"URL": "http://a.test/"}' });
  assert.equal(wrapped.json.text, "opened http://a.test/");
  for (const [tool, args] of [
    ["browser_navigate", { link: "http://a.test/" }],
    ["navigate_page", { type: "url", url: "http://a.test/" }],
  ] as const) {
    const [step, ...more] = (await rest.call(tool, args)).json.error?.steps ?? [];
    assert.deepEqual(more, []);
    const { json } = await rest.call(step?.tool ?? "", step?.arguments ?? {});
    assert.equal(json.text, "opened http://a.test/");
  }
});

test("a snapshot's stream becomes one answer", async () => {
  const { json } = await rest.call("browser_snapshot", { depth: 40 });
  assert.equal(json.text, "y".repeat(40 * 65_536));
  assert.deepEqual(json.data, { elementCount: 0, kind: "SNAPSHOT_KIND_FULL", textLength: 40 * 65_536 });
});

test("a stream that breaks off is answered with its failure, without any of its text", async () => {
  const { status, json } = await rest.call("browser_snapshot", { depth: 40, offset: 3 });
  assert.deepEqual([status, json.success, json.error?.type], [200, false, "PAGE_CRASHED"]);
});

test("a snapshot beyond the reply's bound is RESULT_TOO_LARGE, and the tool still works", async () => {
  const { status, json } = await rest.call("browser_snapshot", { depth: 1100 });
  assert.deepEqual(
    [status, json.error?.type, json.error?.details.limit],
    [200, "RESULT_TOO_LARGE", 64 * 2 ** 20],
  );
  assert.equal((await rest.call("browser_snapshot", {})).json.success, true);
});

test("the daemon's own tools work over REST, and select a role for the session", async () => {
  const { json } = await rest.call(
    "select_role",
    { role: "two" },
    { headers: { "x-troupe-session": "mover" } },
  );
  assert.match(json.text, /^Current role: two/);
  assert.deepEqual(json.data, { role: "two" });
  assert.equal((await seenByWorker({ "x-troupe-session": "mover" })).role.name, "two");
});

test("a role is named by header or argument, for one call, and the argument wins", async () => {
  assert.equal((await seenByWorker({ "x-troupe-role": "two" })).role.name, "two");
  assert.equal((await seenByWorker()).role.name, "one");
  const { json } = await rest.call(
    "browser_navigate",
    { url: "http://a.test/", role: "one" },
    { headers: { "x-troupe-role": "two" } },
  );
  assert.equal(json.page?.role, "one");
});

test("an unknown role is the tool's answer, with the nearest role", async () => {
  for (const reply of [
    await open("http://a.test/", { "x-troupe-role": "twoo" }),
    await rest.call("browser_navigate", { url: "http://a.test/", role: "twoo" }),
  ]) {
    assert.deepEqual([reply.status, reply.json.error?.type], [200, "UNKNOWN_ROLE"]);
    assert.equal(reply.json.error?.details.nearest, "two");
  }
});

test("REST and gRPC share sessions, and the worker sees no difference", async () => {
  const { key, metadata } = await seenByWorker({ "x-troupe-session": "shared" });
  assert.equal(key, "local/shared");
  assert.equal(metadata["x-troupe-session"], "shared");
  assert.ok((await troupe.ask("ListSessions", {})).ok?.sessions.some(({ id }) => id === "shared"));
  assert.ok((await troupe.ask("CloseSession", { session: "shared" })).ok);
  const lost = await open("http://a.test/", { "x-troupe-session": "shared", "x-troupe-resume": "1" });
  assert.deepEqual([lost.status, lost.json.error?.type], [200, "SESSION_EXPIRED"]);
});

test("wrong arguments are the tool's answer, with the problem and the corrected call", async () => {
  for (const [args, argument, next] of [
    [{ reff: "e5" }, "reff", { ref: "e5" }],
    [{}, "ref", undefined],
    [{ ref: "e5", button: "lef" }, "button", { ref: "e5", button: "left" }],
    [{ ref: { deep: ["e5"] } }, "ref", undefined],
    [{ ref: "e5", role: 5 }, "role", undefined],
  ] as const) {
    const { status, json } = await rest.call("browser_click", args);
    assert.deepEqual([status, json.success, json.error?.type], [200, false, "INVALID_ARGUMENT"]);
    assert.equal(json.error?.details.argument, argument);
    assert.deepEqual(json.error?.steps.at(-1)?.arguments, next);
  }
});

test("numbers and booleans as strings are accepted, and arguments as JSON text", async () => {
  assert.equal((await rest.call("browser_snapshot", { depth: "2" })).json.data?.textLength, 2 * 65_536);
  assert.equal((await rest.call("browser_snapshot", JSON.stringify({ depth: 2 }))).json.success, true);
});

test("a tool's other names are understood, and a missing body means no arguments", async () => {
  const { json } = await rest.send("/v1/tools/list_current_roles", {
    method: "POST",
    headers: { "x-troupe-session": "rest" },
  });
  assert.equal(json.success, true);
  assert.equal((await rest.call("get_siblings", {})).json.error?.tool, "inspect_pattern");
});

test("an unknown tool is a 404 whose plan calls the nearest tool", async () => {
  const reply = await rest.call("browser_clik", { ref: "e5" });
  assert.deepEqual(problem(reply), [404, PROBLEM, "UNKNOWN_TOOL"]);
  const { json } = reply;
  assert.deepEqual(json.error?.steps, [
    { text: 'Call browser_click(ref: "e5") instead', tool: "browser_click", arguments: { ref: "e5" } },
  ]);
  assert.deepEqual(
    [json.type, json.title, json.status, json.detail],
    ["tag:troupe.dev,2026:errors/UNKNOWN_TOOL", "Unknown Tool", 404, "Unknown tool: browser_clik."],
  );
});

test("a tool of a larger profile is a 404 that names the profile", async () => {
  const reply = await rest.call(
    "browser_tabs",
    { action: "list" },
    { headers: { "x-troupe-profile": "small" } },
  );
  assert.deepEqual(problem(reply), [404, PROBLEM, "UNKNOWN_TOOL"]);
  assert.equal(reply.json.error?.details.profile, "core");
});

test("plans name only tools of the caller's profile", async () => {
  const url = `http://do/fail?type=PAGE_CRASHED&data=${encodeURIComponent('{"url":"u","effect":"none"}')}`;
  const { json } = await open(url, { "x-troupe-profile": "small" });
  assert.equal(json.success, false);
  const unknown = await open("http://a.test/", { "x-troupe-profile": "small", "x-troupe-role": "twoo" });
  assert.ok(unknown.json.error?.steps.every(({ tool }) => tool !== "list_current_roles"));
});

test("the request's id, given or new, is in the log, in the answer and in a problem", async () => {
  assert.equal((await open("http://a.test/", { "x-request-id": "mine" })).headers["x-request-id"], "mine");
  assert.match(String((await open("http://a.test/")).headers["x-request-id"]), /^[\w-]{36}$/);
  assert.equal(
    (await rest.call("nothing", {}, { headers: { "x-request-id": "mine-2" } })).headers["x-request-id"],
    "mine-2",
  );
  for (const id of ["mine", "mine-2"])
    assert.ok(troupe.lines.some((line) => JSON.parse(line).requestId === id));
});

test("without the right token no request is answered or executed", async () => {
  for (const [authorization, error] of [
    [undefined, ""],
    ["Bearer wrong", 'error="invalid_token"'],
    [`Basic ${Buffer.from("a:b").toString("base64")}`, 'error="invalid_request"'],
    ["Bearer ", 'error="invalid_request"'],
  ] as const) {
    assert.equal((await rest.send("/v1/tools", { headers: { authorization } })).status, 401);
    // Generators send no token, and the document has nothing that the documentation lacks.
    assert.equal((await rest.send("/openapi.json", { headers: { authorization } })).status, 200);
    const reply = await rest.call(
      "browser_navigate",
      { url: "http://a.test/" },
      { headers: { authorization } },
    );
    assert.deepEqual(problem(reply), [401, PROBLEM, "UNAUTHENTICATED"]);
    assert.match(String(reply.headers["www-authenticate"]), new RegExp(`^Bearer realm="troupe".*${error}`));
    assert.match(reply.json.text, /Send the header Authorization: Bearer TOKEN/);
  }
  assert.equal(
    (await rest.send("/v1/tools", { headers: { authorization: `bEARER ${rest.token}` } })).status,
    200,
  );
});

test("only its owner can read the token", () => {
  assert.equal(statSync(troupe.config.state.token).mode & 0o777, 0o600);
});

test("a missing or malformed header is a 400 that names it", async () => {
  for (const [headers, name, step = /again with /] of [
    [{ "x-troupe-session": undefined }, "x-troupe-session"],
    [{ "x-troupe-session": "a b" }, "x-troupe-session"],
    [{ "x-troupe-session": "x".repeat(129) }, "x-troupe-session"],
    [{ "x-troupe-profile": "smal" }, "x-troupe-profile"],
    [{ "x-troupe-version": "9.0.0" }, "x-troupe-version", /leaves the header x-troupe-version out$/],
    [{ "x-troupe-role": "\u00e9" }, "x-troupe-role"],
  ] as const) {
    const reply = await rest.call("browser_navigate", { url: "http://a.test/" }, { headers });
    assert.deepEqual(problem(reply), [400, PROBLEM, "INVALID_ARGUMENT"]);
    assert.equal(reply.json.error?.details.argument, name);
    assert.match(reply.json.text, step);
  }
});

test("a role without a free slot is a 429 with a retry time", async () => {
  const fill = ["full-1", "full-2"];
  const role = { "x-troupe-role": "one" };
  await troupe.ask("CloseSession", { session: "rest" });
  for (const session of fill) await open("http://a.test/", { ...role, "x-troupe-session": session });
  const reply = await open("http://a.test/", { ...role, "x-troupe-session": "late" });
  for (const session of fill) await troupe.ask("CloseSession", { session });
  assert.deepEqual(problem(reply), [429, PROBLEM, "BUSY"]);
  // The first of them will have been idle for 30 s then.
  const { afterMs = 0 } = reply.json.error?.retry ?? {};
  assert.ok(afterMs > 1000 && afterMs <= 30_000, `after ${afterMs} ms`);
  assert.equal(reply.headers["retry-after"], String(Math.ceil(afterMs / 1000)));
  assert.deepEqual(reply.json.error?.details.holders, fill);
  assert.equal((await open("http://a.test/")).json.error?.type, "SESSION_EXPIRED");
});

test("a client that goes away cancels its call, in the worker too", async () => {
  const held = troupe.next(LINES.holds());
  const away = new AbortController();
  const headers = { "x-troupe-session": "away" };
  const hung = rest.call("browser_navigate", { url: "http://do/hang" }, { signal: away.signal, headers });
  const failed = assert.rejects(hung, { code: "ABORT_ERR" });
  await held;
  const over = Promise.all([LINES.cancelled(), '"outcome":"CANCELLED"'].map(troupe.next));
  away.abort();
  await failed;
  await over;
  const { ok } = await troupe.ask("ListCalls", { session: "away" });
  assert.equal(ok?.calls[0]?.outcome, "CANCELLED");
});

test("calls and refusals are counted, recorded and logged like any others, and nothing a client sends is a label", async () => {
  const session = { headers: { "x-troupe-session": "counted" } };
  await rest.call("browser_click", { reff: "my-secret" }, session);
  await rest.call("browser_type", { ref: "e1", text: { is: "my-secret" } }, session);
  await rest.call("made-up-tool", { text: "my-secret" }, session);
  const { ok } = await troupe.ask("ListCalls", { session: "counted" });
  assert.deepEqual(
    new Set(ok?.calls.map(({ tool, outcome }) => `${tool}: ${outcome}`)),
    new Set(["browser_click: INVALID_ARGUMENT", "browser_type: INVALID_ARGUMENT", ": UNKNOWN_TOOL"]),
  );
  const { body } = await rest.send("/metrics");
  assert.match(body, /^troupe_calls_total\{tool="browser_click",role="one",code="INVALID_ARGUMENT"\} \d+$/m);
  assert.match(
    body,
    /^troupe_errors_total\{type="UNKNOWN_TOOL",category="VALIDATION",tool="",role="one"\} \d+$/m,
  );
  assert.match(body, /^troupe_calls_total\{tool="",role="one",code="UNIMPLEMENTED"\} \d+$/m);
  assert.match(
    body,
    /^troupe_errors_total\{type="UNAUTHENTICATED",category="POLICY",tool="[a-z_]*",role=""\} \d+$/m,
  );
  assert.doesNotMatch(body, /made-up-tool/);
  for (const line of troupe.lines) assert.doesNotMatch(line, /my-secret/);
});

test("an unknown tool's episode recovers with the meant tool; without a session it only counts", async () => {
  const headers = { "x-troupe-session": "misnamed", "x-troupe-role": "two" };
  const { json } = await rest.call("browser_clik", { ref: "e1" }, { headers });
  assert.equal(json.error?.steps.at(-1)?.tool, "browser_click");
  await rest.call("browser_click", { ref: "e1" }, { headers });
  await rest.call("browser_clik", { ref: "e1" }, { headers: { "x-troupe-session": undefined } });
  const { body } = await rest.send("/metrics");
  assert.match(
    body,
    /^troupe_error_episodes_total\{type="UNKNOWN_TOOL",role="two",outcome="recovered"\} 1$/m,
  );
  assert.match(body, /^troupe_errors_total\{type="UNKNOWN_TOOL",category="VALIDATION",tool="",role=""\} 1$/m);
});

test("an error that a later REST call resolves is a recovered episode", async () => {
  const headers = { "x-troupe-session": "episode", "x-troupe-role": "two" };
  await rest.call("browser_snapshot", { depht: 2 }, { headers });
  await rest.call("browser_snapshot", { depth: 2 }, { headers });
  const { body } = await rest.send("/metrics");
  assert.match(
    body,
    /^troupe_error_episodes_total\{type="INVALID_ARGUMENT",role="two",outcome="recovered"\} 1$/m,
  );
});

test("the same wrong arguments once more are a repeated episode, other ones are not", async () => {
  const ask = (session: string, args: object) =>
    rest.call("browser_snapshot", args, {
      headers: { "x-troupe-session": session, "x-troupe-role": "two" },
    });
  const repeated = async () => {
    const { body } = await rest.send("/metrics");
    return Number(/type="INVALID_ARGUMENT",role="two",outcome="repeated"\} (\d+)/.exec(body)?.[1] ?? 0);
  };
  for (const args of [{ one: 1 }, { two: 2 }]) await ask("tries-another", args);
  assert.equal(await repeated(), 0);
  for (const args of [{ one: 1 }, { one: 1 }]) await ask("tries-again", args);
  assert.equal(await repeated(), 1);
});

test("the tools are listed as MCP lists them, by profile", async () => {
  const list = async (profile?: string) => {
    const { body } = await rest.send("/v1/tools", { headers: { "x-troupe-profile": profile } });
    return (JSON.parse(body) as { tools: { name: string; inputSchema: { type: string } }[] }).tools;
  };
  const core = await list();
  assert.ok(core.some(({ name }) => name === "browser_tabs"));
  assert.ok(core.every(({ inputSchema }) => inputSchema.type === "object"));
  const small = await list("small");
  assert.ok(small.length < core.length && !small.some(({ name }) => name === "browser_tabs"));
});

test("a call beyond the call timeout is TIMEOUT, as the tool's answer", async () => {
  await using short = await testDaemon({ roles: { one: { eager: true } }, limits: { callTimeout: "1s" } });
  const { send: _send, call } = restClient(short.daemon.http[0] ?? "", short.config.state.token);
  await reaches(short, "one", "ROLE_STATE_READY");
  const { status, json } = await call("browser_navigate", { url: "http://do/hang" });
  assert.deepEqual([status, json.error?.type], [200, "TIMEOUT"]);
});

test("a draining daemon refuses calls, and still lists its tools", async () => {
  await using ending = await testDaemon({ roles: { one: {} } });
  const { send, call } = restClient(ending.daemon.http[0] ?? "", ending.config.state.token);
  await call("browser_navigate", { url: "http://a.test/" });
  const held = ending.next(LINES.holds());
  const hung = call(
    "browser_navigate",
    { url: "http://do/hang" },
    { headers: { "x-troupe-session": "hung" } },
  );
  await held;
  ending.daemon.drain();
  const reply = await call("browser_navigate", { url: "http://a.test/" });
  assert.deepEqual(problem(reply), [503, PROBLEM, "DAEMON_DRAINING"]);
  assert.equal(reply.headers["retry-after"], "2");
  assert.equal((await send("/v1/tools")).status, 200);
  assert.equal((await send("/readyz")).status, 503);
  await ending.ask("CloseSession", { session: "hung" });
  assert.equal((await hung).json.error?.type, "SESSION_EXPIRED");
});
