// Connections that break in the middle of a call: the older era's client resumes its stream, the newer one's call ends.
import assert from "node:assert/strict";
import { get, type IncomingMessage, request } from "node:http";
import { test } from "node:test";
import { testDaemon } from "../../../harness/daemon.ts";
import { shared } from "../../../harness/shared.ts";
import { LINES } from "../../../harness/stand-in/state.ts";
import { until } from "../../../harness/within.ts";
import { INITIALIZE, mcpUrl, newerHeaders, newerRequest, OLDER, olderRequest } from "./mcp-url.ts";

const troupe = shared(await testDaemon({ roles: { one: { sessions: 100 } } }));
const address = troupe.daemon.http[0] ?? "";
const mcp = mcpUrl(address, troupe.config.state.token);
const own = { authorization: `Bearer ${mcp.token}`, "content-type": "application/json" };
const ACCEPT = { accept: "application/json, text/event-stream" };
const SLOW = { name: "browser_navigate", arguments: { url: "http://do/wait" } };

async function begun(): Promise<Record<string, string>> {
  const { headers } = await mcp.send(INITIALIZE);
  return { "mcp-session-id": String(headers["mcp-session-id"]), "mcp-protocol-version": OLDER };
}

/** Posts a request, and returns its answer at the first event of the stream. */
async function opened(body: object, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(new URL("/mcp", address), {
    method: "POST",
    headers: { ...own, ...ACCEPT, ...headers },
  });
  sent.on("response", resolve).on("error", reject);
  sent.end(JSON.stringify(body));
  const answer = await promise;
  const { promise: first, resolve: got } = Promise.withResolvers<string>();
  answer.on("data", (chunk: Buffer) => got(chunk.toString())).on("error", () => "the test breaks it off");
  return { answer, first: await first };
}

/** Reads a stream to its end. */
async function resumed(
  headers: Record<string, string>,
): Promise<{ status: number | undefined; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(new URL("/mcp", address), { headers: { ...own, accept: "text/event-stream", ...headers } }, resolve).on(
    "error",
    reject,
  );
  const answer = await promise;
  let body = "";
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode, body };
}

const eventIdIn = (text: string) => /^id: (\S+)$/m.exec(text)?.[1] ?? assert.fail(text);

test("older: a call goes on when its stream breaks, and its reply comes with the resumed stream", async () => {
  const headers = await begun();
  const held = troupe.next(LINES.holds());
  const { answer, first } = await opened(olderRequest("tools/call", SLOW, 5), headers);
  await held;
  answer.destroy();
  const last = { ...headers, "last-event-id": eventIdIn(first) };
  // The resumed stream may be open before the call has ended.
  const reply = resumed(last);
  await troupe.open("http://do/go-on", { session: "waker" });
  const { status, body } = await reply;
  assert.equal(status, 200);
  assert.match(body, /"id":5/);
  assert.match(body, /waited/);
  // It can be read once more.
  assert.match((await resumed(last)).body, /waited/);
});

test("older: a reply that came while the stream was broken is kept, and the next call may lack it", async () => {
  const headers = await begun();
  const held = troupe.next(LINES.holds());
  const { answer, first } = await opened(olderRequest("tools/call", SLOW, 6), headers);
  await held;
  answer.destroy();
  const over = troupe.next(/^(?!.*"waker").*"msg":"call"/);
  await troupe.open("http://do/go-on", { session: "waker" });
  await over;
  const state = { name: "browser_navigate", arguments: { url: "http://do/state" } };
  await until(async () => {
    const { body } = await mcp.send(olderRequest("tools/call", state, 7), { headers });
    return /x-troupe-may-lack/.test(body);
  }, "the daemon notes that the client may lack the reply");
  assert.match((await resumed({ ...headers, "last-event-id": eventIdIn(first) })).body, /waited/);
});

test("older: events of another session, and invented ones, are refused", async () => {
  const [one, other] = [await begun(), await begun()];
  for (const id of ["999", "x", "__proto__"])
    assert.equal((await resumed({ ...one, "last-event-id": id })).status, 400);
  const { first } = await opened(olderRequest("ping", {}, 8), one);
  const last = { "last-event-id": eventIdIn(first) };
  assert.equal((await resumed({ ...one, ...last })).status, 200);
  assert.notEqual((await resumed({ ...other, "last-event-id": "77" })).status, 200);
});

test("older: a cancelled request's stream ends, and its id is free again", async () => {
  const headers = await begun();
  const held = troupe.next(LINES.holds());
  const { answer } = await opened(olderRequest("tools/call", SLOW, 9), headers);
  await held;
  const ended = new Promise((resolve) => answer.once("end", resolve));
  const over = troupe.next('"outcome":"CANCELLED"');
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } };
  assert.equal((await mcp.send(cancel, { headers })).status, 202);
  await ended;
  await over;
  const { status } = await mcp.send(olderRequest("tools/call", { name: "list_current_roles" }, 9), {
    headers,
  });
  assert.equal(status, 200);
});

test("newer: a call ends when its connection breaks", async () => {
  const headers = newerHeaders("tools/call", "browser_navigate");
  const params = { name: "browser_navigate", arguments: { url: "http://do/hang" } };
  const held = troupe.next(LINES.holds());
  const { answer } = await opened(newerRequest("tools/call", params, { progressToken: 1 }), headers);
  await held;
  const over = troupe.next('"outcome":"CANCELLED"');
  answer.destroy();
  await over;
});
