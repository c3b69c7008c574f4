// MCP by URL with the official clients of both protocol eras, against a daemon with stand-in workers.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { mcpTools } from "../../../../proto/tools/tool-list.ts";
import { testDaemon } from "../../../harness/daemon.ts";
import { errorOf, textOf } from "../../../harness/mcp/mcp-process.ts";
import { shared } from "../../../harness/shared.ts";
import { LINES } from "../../../harness/stand-in/state.ts";
import { ERAS, mcpUrl, NEWER, newerHeaders, newerRequest, OLDER } from "./mcp-url.ts";

const troupe = shared(await testDaemon({ roles: { one: { sessions: 100 }, two: {} } }));
const mcp = mcpUrl(troupe.daemon.http[0] ?? "", troupe.config.state.token);
const sessions = async () => (await troupe.ask("ListSessions", {})).ok?.sessions ?? [];
const sessionsOf = async (base: string) =>
  (await sessions()).map(({ id }) => id).filter((id) => id === base || id.startsWith(`${base}~`));

const STATE = { url: "http://do/state" };
interface Seen {
  key: string;
  role: { name: string };
  metadata: Record<string, string>;
}

function pageOf({ _meta: meta }: CallToolResult): { session: string; url: string } {
  return meta?.["troupe.v1/page"] as { session: string; url: string };
}

for (const era of ERAS) {
  test(`${era}: a client learns the version, the instructions and the tools of its profile`, async () => {
    await using client = await mcp.connect(era);
    assert.equal(client.version, era === "older" ? OLDER : NEWER);
    assert.match(client.instructions ?? "", /browser_snapshot[\s\S]*numbered steps/);
    assert.deepEqual(await client.list(), JSON.parse(JSON.stringify(mcpTools("core"))));
    await using small = await mcp.connect(era, { query: "?profile=small" });
    assert.equal((await small.list()).length, mcpTools("small").length);
    await using full = await mcp.connect(era, { headers: { "x-troupe-profile": "full" } });
    assert.equal((await full.list()).length, mcpTools("full").length);
  });

  test(`${era}: a call's reply is its text and its page; a failed call is a plan`, async () => {
    await using client = await mcp.connect(era, { name: "An agent" });
    const opened = await client.call("browser_navigate", { url: "http://a.test/" });
    assert.equal(textOf(opened), "opened http://a.test/");
    const page = pageOf(opened);
    assert.equal(page.url, "http://a.test/");
    assert.match(page.session, era === "older" ? /^An%20agent-[\da-f]{16}$/ : /^An%20agent$/);
    const data = encodeURIComponent(
      JSON.stringify({ ref: "e5", role: "button", name: "Save", tag: "button" }),
    );
    const failed = await client.call("browser_navigate", {
      url: `http://do/fail?type=STALE_REF&data=${data}`,
    });
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /^❌ Stale Element Reference\n[\s\S]*1\. Call browser_snapshot\(\)/);
    assert.equal(errorOf(failed).type, "STALE_REF");
  });

  test(`${era}: an unknown tool and a wrong argument are plans too, and are counted`, async () => {
    await using client = await mcp.connect(era);
    const unknown = await client.call("browser_clik", { ref: "e5" });
    assert.deepEqual([unknown.isError, errorOf(unknown).type], [true, "UNKNOWN_TOOL"]);
    assert.match(textOf(unknown), /1\. Call browser_click\(ref: "e5"\) instead/);
    const wrong = await client.call("browser_click", { rref: "e5" });
    assert.deepEqual([wrong.isError, errorOf(wrong).type], [true, "INVALID_ARGUMENT"]);
    const calls = (await troupe.ask("ListCalls", {})).ok?.calls ?? [];
    for (const type of ["UNKNOWN_TOOL", "INVALID_ARGUMENT"])
      assert.ok(calls.some(({ outcome }) => outcome === type));
  });

  test(`${era}: calls name their session, each with its own role`, async () => {
    await using client = await mcp.connect(era, { query: `?session=team-${era}` });
    await client.call("select_role", { role: "two", session: "a" });
    const seen = async (session?: string) =>
      JSON.parse(
        textOf(await client.call("browser_navigate", { ...STATE, ...(session && { session }) })),
      ) as Seen;
    assert.deepEqual(
      [(await seen("a")).key, (await seen("b")).key, (await seen()).key],
      [`local/team-${era}~a`, `local/team-${era}~b`, `local/team-${era}`],
    );
    assert.deepEqual([(await seen("a")).role.name, (await seen("b")).role.name], ["two", "one"]);
    const refused = await client.call("browser_navigate", { ...STATE, session: "not allowed" });
    assert.deepEqual([refused.isError, errorOf(refused).details.argument], [true, "session"]);
  });

  test(`${era}: a role in the URL begins sessions, and never overrides select_role`, async () => {
    const query = `?role=two&session=beginner-${era}`;
    const roleOf = async (args: object = {}) => {
      await using client = await mcp.connect(era, { query });
      return (JSON.parse(textOf(await client.call("browser_navigate", { ...STATE, ...args }))) as Seen).role
        .name;
    };
    assert.deepEqual([await roleOf(), await roleOf({ session: "x" })], ["two", "two"]);
    await using client = await mcp.connect(era, { query });
    await client.call("select_role", { role: "one" });
    assert.deepEqual([await roleOf(), await roleOf({ session: "x" })], ["one", "two"]);
  });

  test(`${era}: a role in the URL that does not exist is an error with the nearest one`, async () => {
    await using client = await mcp.connect(era, { query: `?role=twoo&session=lost-${era}` });
    const failed = await client.call("browser_navigate", STATE);
    assert.deepEqual([errorOf(failed).type, errorOf(failed).details.nearest], ["UNKNOWN_ROLE", "two"]);
    assert.match(textOf(await client.call("list_current_roles")), /two/);
  });

  test(`${era}: a long call reports its progress, if the client asked for it`, async () => {
    await using client = await mcp.connect(era);
    await using other = await mcp.connect(era);
    const { promise: reported, resolve } = Promise.withResolvers<{ progress: number }>();
    const waited = client.call("browser_navigate", { url: "http://do/wait" }, { onprogress: resolve });
    assert.equal((await reported).progress, 1);
    await other.call("browser_navigate", { url: "http://do/go-on", session: `waker-${era}` });
    assert.equal(textOf(await waited), "waited");
  });

  test(`${era}: a cancelled call ends in the worker, and the connection goes on`, async () => {
    await using client = await mcp.connect(era);
    const held = troupe.next(LINES.holds());
    const gaveUp = new AbortController();
    const call = client.call("browser_navigate", { url: "http://do/hang" }, { signal: gaveUp.signal });
    await held;
    const over = Promise.all([LINES.cancelled(), '"outcome":"CANCELLED"'].map(troupe.next));
    gaveUp.abort();
    await assert.rejects(call);
    await over;
    await client.call("browser_navigate", STATE);
    assert.equal((await troupe.ask("GetStatus", {})).ok?.callsUnderWay, 0);
  });

  test(`${era}: a whole reply leaves nothing in doubt for the next call`, async () => {
    await using client = await mcp.connect(era, { query: `?session=whole-${era}` });
    await client.call("browser_navigate", STATE);
    const { metadata } = JSON.parse(textOf(await client.call("browser_navigate", STATE))) as Seen;
    assert.equal(metadata["x-troupe-may-lack"], undefined);
  });
}

test("older: DELETE ends the connection's sessions, but not one that the client named", async () => {
  const own = await mcp.connect("older");
  const { session } = pageOf(await own.call("browser_navigate", STATE));
  await own.call("browser_navigate", { ...STATE, session: "helper" });
  assert.deepEqual((await sessionsOf(session)).length, 2);
  await own.terminate();
  await own[Symbol.asyncDispose]();
  assert.deepEqual(await sessionsOf(session), []);
  const named = await mcp.connect("older", { query: "?session=kept" });
  await named.call("browser_navigate", STATE);
  await named.terminate();
  await named[Symbol.asyncDispose]();
  assert.deepEqual(await sessionsOf("kept"), ["kept"]);
});

test("older: DELETE ends named sessions also if the connection has none of its own", async () => {
  const client = await mcp.connect("older");
  const { session } = pageOf(await client.call("browser_navigate", { ...STATE, session: "helper" }));
  await client.terminate();
  await client[Symbol.asyncDispose]();
  assert.deepEqual(await sessionsOf(session), []);
});

test("newer: a new connection for each call finds the program's session", async () => {
  for (const _ of [1, 2, 3]) {
    await using client = await mcp.connect("newer", { name: "hopper" });
    await client.call("browser_navigate", { ...STATE, session: "a" });
  }
  assert.deepEqual(await sessionsOf("hopper"), ["hopper~a"]);
});

test("newer: lists say how long they stay true, and are the same each time", async () => {
  const send = async () => {
    const { body } = await mcp.send(newerRequest("tools/list"), { headers: newerHeaders("tools/list") });
    return body;
  };
  const [one, other] = [await send(), await send()];
  assert.equal(one, other);
  const { result } = JSON.parse(one);
  assert.deepEqual([result.ttlMs, result.cacheScope], [3_600_000, "private"]);
});

test("newer: server/discover names the versions and the capabilities without any handshake", async () => {
  const { status, json } = await mcp.send(newerRequest("server/discover"), {
    headers: newerHeaders("server/discover"),
  });
  const { result } = json as unknown as { result: { supportedVersions: string[]; capabilities: object } };
  assert.equal(status, 200);
  assert.ok(result.supportedVersions.includes(NEWER));
  assert.deepEqual(Object.keys(result.capabilities), ["tools"]);
});

test("newer: a header that contradicts the body is refused before any tool is called", async () => {
  const params = { name: "browser_navigate", arguments: { ...STATE, session: "a" } };
  const headers = newerHeaders("tools/call", "browser_navigate");
  for (const [given, words] of [
    [undefined, /is missing/],
    ["b", /differs/],
    ["=?base64?YQ?=", /not well encoded/],
  ] as const) {
    const { status, json } = await mcp.send(newerRequest("tools/call", params), {
      headers: { ...headers, "mcp-param-session": given },
    });
    const { error, id } = json as unknown as { error: { code: number; message: string }; id: number };
    assert.deepEqual([status, error.code, id], [400, -32_020, 1]);
    assert.match(error.message, words);
  }
  const elsewhere = { name: "browser_navigate", arguments: STATE };
  const { status, json } = await mcp.send(newerRequest("tools/call", elsewhere), {
    headers: { ...headers, "mcp-param-session": "a" },
  });
  assert.equal(status, 400);
  assert.match((json as unknown as { error: { message: string } }).error.message, /repeats no argument/);
  for (const given of ["a", "=?base64?YQ==?="]) {
    const { status } = await mcp.send(newerRequest("tools/call", params), {
      headers: { ...headers, "mcp-param-session": given },
    });
    assert.equal(status, 200);
  }
});

test("a client's trace is the id of its call in the reply and in the log", async () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const params = { name: "browser_navigate", arguments: STATE };
  const { headers } = await mcp.send(newerRequest("tools/call", params, { traceparent }), {
    headers: newerHeaders("tools/call", "browser_navigate"),
  });
  assert.equal(headers["x-request-id"], traceparent);
  await troupe.logged(new RegExp(traceparent));
});
