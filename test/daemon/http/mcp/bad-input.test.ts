// Malformed and hostile MCP requests: each gets an error in words, and the daemon goes on.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import type { ErrorDetail } from "../../../../proto/errors/catalogue.ts";
import { testDaemon } from "../../../harness/daemon.ts";
import type { RestReply } from "../../../harness/rest.ts";
import { shared } from "../../../harness/shared.ts";
import { LINES } from "../../../harness/stand-in/state.ts";
import { INITIALIZE, mcpUrl, NEWER, newerHeaders, newerRequest, OLDER, olderRequest } from "./mcp-url.ts";

const troupe = shared(await testDaemon({ roles: { one: { sessions: 100 } } }));
const mcp = mcpUrl(troupe.daemon.http[0] ?? "", troupe.config.state.token);
const SECRET = "hunter2-is-my-secret";

interface RpcReply {
  error?: { code: number; message: string; data?: { text: string; error: ErrorDetail } };
  result?: { isError?: boolean };
}
const rpc = ({ json }: RestReply) => json as unknown as RpcReply;
/** Begins a session of the older era and returns the headers of its requests. */
async function begun(): Promise<Record<string, string>> {
  const { status, headers } = await mcp.send(INITIALIZE);
  assert.equal(status, 200);
  return { "mcp-session-id": String(headers["mcp-session-id"]), "mcp-protocol-version": OLDER };
}

for (const [what, body, status, code] of [
  ["no JSON", `{"text": ${SECRET}}`, 400, -32_700],
  ["half of an object", `{"jsonrpc": "2.0", "id": 1, "method": "${SECRET}`, 400, -32_700],
  ["nothing", "", 400, -32_700],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, -32_700],
  ["a number", "5", 400, -32_600],
  ["null", "null", 400, -32_600],
  ["an empty batch", "[]", 400, -32_600],
  ["a batch of numbers", "[1, 2]", 400, -32_600],
  ["a batch of 51", JSON.stringify(Array(51).fill(olderRequest("ping"))), 400, -32_600],
  ["lists in lists", `{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400, -32_600],
  ["objects in objects", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, 400, -32_600],
] as const) {
  test(`a body of ${what} is refused with ${status}, and its content is repeated nowhere`, async () => {
    const reply = await mcp.send(body);
    assert.deepEqual([reply.status, rpc(reply).error?.code], [status, code]);
    for (const text of [reply.body, ...troupe.lines]) assert.ok(!text.includes(SECRET));
  });
}

test("a body of 20 MiB is refused unread", async () => {
  const { status } = await mcp
    .send(JSON.stringify({ text: "x".repeat(20 * 2 ** 20) }))
    .catch(() => ({ status: 413 }));
  assert.equal(status, 413);
});

for (const type of [undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]) {
  test(`a body of the type ${type} is refused`, async () => {
    const { status } = await mcp.send(INITIALIZE, { headers: { "content-type": type } });
    assert.equal(status, 415);
  });
}

/** A refusal is a JSON-RPC error with a typed error and its plan. */
function assertPlanned(reply: RestReply, argument: string, step: RegExp): void {
  const { message, data } = rpc(reply).error ?? assert.fail(reply.body);
  assert.deepEqual([data?.error.type, data?.error.details.argument], ["INVALID_ARGUMENT", argument]);
  assert.equal(message, data?.error.message);
  assert.match(data?.error.steps[0]?.text ?? "", step);
  assert.match(data?.text ?? "", /^❌ Invalid Argument\n[\s\S]*Action Required:\n1\. /);
}

test("a client that does not accept both kinds of answer is refused in the older era", async () => {
  for (const accept of ["application/json", "text/event-stream", "text/html"]) {
    const reply = await mcp.send(INITIALIZE, { headers: { accept } });
    assert.deepEqual([reply.status, rpc(reply).error?.code], [406, -32_000]);
    assertPlanned(reply, "accept", /with the header Accept: application\/json, text\/event-stream$/);
  }
});

test("refusals of a request carry what is wrong, why, and what to do", async () => {
  assertPlanned(await mcp.send("5"), "body", /^Send the request again with one JSON-RPC message/);
  assertPlanned(await mcp.send(olderRequest("ping")), "mcp-session-id", /of the answer to initialize$/);
  const forged = await mcp.send(olderRequest("ping"), { headers: { "mcp-session-id": "x" } });
  assertPlanned(forged, "mcp-session-id", /with initialize as its method/);
  const headers = { ...newerHeaders("tools/call", "browser_click"), "mcp-param-session": "a" };
  const call = newerRequest("tools/call", { name: "browser_click", arguments: { ref: "e1", session: "b" } });
  assertPlanned(await mcp.send(call, { headers }), "mcp-param-session", /the argument session of the body/);
  const version = { ...(await begun()), "mcp-protocol-version": "1999-01-01" };
  assertPlanned(await mcp.send(olderRequest("ping"), { headers: version }), "request", /MCP specification/);
});

test("other methods are refused, with the allowed ones", async () => {
  for (const method of ["PUT", "PATCH", "HEAD"]) {
    const { status, headers } = await mcp.send("", { method, headers: { "content-type": undefined } });
    assert.deepEqual([status, headers.allow], [405, "GET, POST, DELETE"]);
  }
});

test("a request without a token, or with another one, is refused before its body is read", async () => {
  for (const authorization of [undefined, "Bearer wrong", "Basic x"]) {
    const { status, headers } = await mcp.send(`{"half": `, { headers: { authorization } });
    assert.equal(status, 401);
    assert.match(String(headers["www-authenticate"]), /^Bearer realm="troupe"/);
  }
});

test("another site's Host and Origin are refused", async () => {
  assert.equal((await mcp.send(INITIALIZE, { headers: { host: "evil.example" } })).status, 403);
  assert.equal((await mcp.send(INITIALIZE, { headers: { origin: "https://evil.example" } })).status, 403);
});

for (const [query, argument, problem] of [
  ["?profile=cor", "?profile=", /\?profile= of the URL names no profile/],
  ["?session=not%20allowed", "?session=", /\?session= of the URL is not well formed/],
  [`?session=${"x".repeat(129)}`, "?session=", /1 to 128 visible ASCII characters/],
  ["?maxTokens=many", "?maxTokens=", /a number of at most 9 digits/],
  ["?profil=core", "query", /no query key "profil"/],
  [`?session=a&${"x".repeat(5000)}=1`, "query", /no query key "x{10,64}…?"/],
  ["?__proto__=1", "query", /no query key "__proto__"/],
] as const) {
  test(`the query ${query.slice(0, 40)} is refused by its key, whatever the era`, async () => {
    const path = `/mcp${query}`;
    const headers = newerHeaders("tools/list");
    for (const [body, more] of [
      [INITIALIZE, {}],
      [newerRequest("tools/list"), { headers }],
    ] as const) {
      const reply = await mcp.send(body, { path, ...more });
      assert.deepEqual([reply.status, rpc(reply).error?.code], [400, -32_000]);
      assertPlanned(reply, argument, argument === "query" ? /\?role=, \?profile=, \?session=/ : /^Send/);
      assert.match(rpc(reply).error?.message ?? "", problem);
    }
  });
}

test("a header that chooses no profile is refused by its name, and hides the query", async () => {
  const headers = { "x-troupe-profile": "cor" };
  assertPlanned(
    await mcp.send(INITIALIZE, { path: "/mcp?profile=full", headers }),
    "x-troupe-profile",
    /^Send/,
  );
});

test("a request of the older era needs a session; a forged id finds none", async () => {
  const list = olderRequest("tools/list");
  assert.equal((await mcp.send(list)).status, 400);
  for (const id of ["x", "__proto__", "00000000-0000-4000-8000-000000000000", "a".repeat(5000)])
    assert.equal((await mcp.send(list, { headers: { "mcp-session-id": id } })).status, 404);
  const headers = await begun();
  assert.equal((await mcp.send(list, { headers })).status, 200);
});

test("an ended session's id is of no use any more", async () => {
  const headers = await begun();
  assert.equal((await mcp.send("", { method: "DELETE", headers })).status, 200);
  for (const method of ["POST", "GET", "DELETE"]) {
    const body = method === "POST" ? JSON.stringify(olderRequest("ping")) : "";
    assert.equal((await mcp.send(body, { method, headers })).status, 404);
  }
});

test("initializing twice in one session is refused", async () => {
  const headers = await begun();
  const reply = await mcp.send(INITIALIZE, { headers });
  assert.deepEqual([reply.status, rpc(reply).error?.code], [400, -32_600]);
});

test("a malformed initialize begins no session", async () => {
  const { headers, status } = await mcp.send(olderRequest("initialize", { protocolVersion: 5 }));
  assert.equal(headers["mcp-session-id"], undefined);
  assert.equal(status, 400);
});

test("unknown protocol versions: the older era negotiates, the newer one names its own", async () => {
  const params = { protocolVersion: "1999-01-01", capabilities: {}, clientInfo: { name: "x", version: "1" } };
  const older = await mcp.send(olderRequest("initialize", params));
  assert.match(older.body, /"protocolVersion":"2025-11-25"/);
  const headers = { ...(await begun()), "mcp-protocol-version": "1999-01-01" };
  assert.equal((await mcp.send(olderRequest("tools/list"), { headers })).status, 400);
  const meta = { "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const newer = await mcp.send(newerRequest("tools/list", {}, meta), {
    headers: { ...newerHeaders("tools/list"), "mcp-protocol-version": "2099-01-01" },
  });
  assert.deepEqual([newer.status, rpc(newer).error?.code], [400, -32_022]);
  assert.match(newer.body, new RegExp(NEWER));
});

test("standard headers that contradict the body are refused", async () => {
  const list = newerRequest("tools/list");
  for (const headers of [
    { ...newerHeaders("tools/list"), "mcp-method": "tools/call" },
    { ...newerHeaders("tools/list"), "mcp-protocol-version": OLDER },
  ]) {
    const reply = await mcp.send(list, { headers });
    assert.deepEqual([reply.status, rpc(reply).error?.code], [400, -32_020]);
  }
  const call = newerRequest("tools/call", { name: "list_current_roles", arguments: {} });
  const reply = await mcp.send(call, { headers: newerHeaders("tools/call", "browser_click") });
  assert.deepEqual([reply.status, rpc(reply).error?.code], [400, -32_020]);
});

test("a batch with a message of the newer era is refused", async () => {
  const headers = await begun();
  const reply = await mcp.send([olderRequest("ping"), newerRequest("tools/list")], { headers });
  assert.equal(reply.status, 400);
});

test("an id that is under way is refused, and its first request is answered", async () => {
  const headers = await begun();
  const call = (url: string, id: number) =>
    mcp.send(olderRequest("tools/call", { name: "browser_navigate", arguments: { url } }, id), { headers });
  const held = troupe.next(LINES.holds());
  const first = call("http://do/wait", 7);
  await held;
  const again = await call("http://a.test/", 7);
  assert.deepEqual([again.status, rpc(again).error?.code], [400, -32_600]);
  await troupe.open("http://do/go-on", { session: "waker" });
  assert.match((await first).body, /waited/);
});

test("half a request does not keep others waiting", async () => {
  const { hostname, port } = new URL(troupe.daemon.http[0] ?? "");
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const head = [
    "POST /mcp HTTP/1.1",
    "Host: 127.0.0.1",
    `Authorization: Bearer ${mcp.token}`,
    "Content-Type: application/json",
    "Content-Length: 1000",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n{"jsonrpc": "2.0", "id"`);
  await begun();
  const closed = once(socket, "close");
  socket.destroy();
  await closed;
  await begun();
});
