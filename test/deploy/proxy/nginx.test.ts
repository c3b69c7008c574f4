import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import test from "node:test";
import type { ServiceError } from "@grpc/grpc-js";
import { WebSocket } from "ws";
import { skipWithoutNginx } from "../../harness/servers/nginx.ts";
import { startBackend } from "./backend.ts";
import { doorsOf, type Entry, startEntry } from "./entry.ts";

const OPTIONS = { skip: skipWithoutNginx, timeout: 60_000 };
const UNAVAILABLE = 14;
const BEGUN =
  "the daemon was lost during the call, which may have been begun: look at the page before you repeat it";
const SESSIONS = Array.from({ length: 30 }, (_, index) => `session-${index}`);

/** The bodies of calls that are never answered. */
const HANGING = SESSIONS.map((session) => `hang ${session}`);

/** Returns the backend of each session. */
async function owners(entry: Entry): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const session of SESSIONS) found.set(session, (await entry.click(session)).split(" ")[0] ?? "");
  return found;
}

test("a session's gRPC calls reach one daemon, and the sessions spread over all", OPTIONS, async () => {
  await using entry = await startEntry("a", "b", "c");
  const first = await owners(entry);
  assert.deepEqual(await owners(entry), first);
  assert.deepEqual(new Set(first.values()), new Set(["a", "b", "c"]));
});

test("HTTP has the session in either header, and MCP's comes first", OPTIONS, async () => {
  await using entry = await startEntry("a", "b", "c");
  const by = async (headers: Record<string, string>) =>
    (await entry.send("/mcp", { headers })).body.split(" ")[0];
  const found = new Set<string | undefined>();
  for (const session of SESSIONS) {
    const one = await by({ "x-troupe-session": session });
    assert.equal(await by({ "mcp-param-session": session, "x-troupe-session": "another" }), one, session);
    assert.equal(await by({ "mcp-session-id": session }), one, session);
    found.add(one);
  }
  assert.equal(found.size, 3);
});

test("calls without a session go to any daemon", OPTIONS, async () => {
  await using entry = await startEntry("a", "b", "c");
  const found = new Set<string>();
  for (let call = 0; call < 40; call++) found.add(await entry.click(undefined));
  assert.equal(found.size, 3);
});

test("a dead daemon's sessions are served by others, and no other session moves", OPTIONS, async () => {
  await using entry = await startEntry("a", "b", "c");
  const before = await owners(entry);
  await entry.backends[1]?.die();
  const after = await owners(entry);
  for (const [session, owner] of before) {
    if (owner === "b") assert.notEqual(after.get(session), "b");
    else assert.equal(after.get(session), owner);
  }
});

test("without a daemon, a call is unavailable and has done nothing", OPTIONS, async () => {
  await using entry = await startEntry("a", "b");
  for (const backend of entry.backends) await backend.die();
  for (let call = 0; call < 4; call++) {
    const error = (await entry.click("s").catch((caught: unknown) => caught)) as ServiceError;
    assert.deepEqual(
      [error.code, error.details],
      [UNAVAILABLE, "no daemon takes calls, and this one has not begun"],
    );
    const { status, headers, body } = await entry.send("/v1/tools");
    assert.deepEqual([status, headers["content-type"]], [503, "application/problem+json"]);
    assert.equal(headers["retry-after"], "1");
    assert.match((JSON.parse(body) as { detail: string }).detail, /has not begun/);
  }
});

/** Lets the first backend die during its calls. Returns their sessions, once all backends have begun theirs. */
async function dieDuringCalls({ backends: [dying], begun }: Entry): Promise<string[]> {
  await begun(HANGING);
  const bodies = dying?.received.filter((body) => body.startsWith("hang")) ?? [];
  await dying?.die();
  return bodies.map((body) => body.replace("hang ", ""));
}

/** Asserts that each call has begun once. */
function assertNoRepetition({ backends }: Entry): void {
  const received = backends.flatMap((backend) => backend.received);
  assert.deepEqual(received.filter((body) => body.startsWith("hang")).sort(), [...HANGING].sort());
}

for (const connection of ["a new", "a kept"]) {
  test(`a gRPC call that began over ${connection} connection is never repeated`, OPTIONS, async () => {
    await using entry = await startEntry("a", "b", "c");
    if (connection === "a kept") await owners(entry);
    const call = (session: string) =>
      entry.click(session, `hang ${session}`).catch((caught: unknown) => caught);
    const calls = new Map(SESSIONS.map((session) => [session, call(session)]));
    for (const session of await dieDuringCalls(entry)) {
      const { code, details } = (await calls.get(session)) as ServiceError;
      assert.deepEqual([code, details], [UNAVAILABLE, BEGUN]);
    }
    assertNoRepetition(entry);
  });
}

test("an HTTP request that began is never repeated", OPTIONS, async () => {
  await using entry = await startEntry("a", "b", "c");
  const path = "/v1/tools/browser_click";
  const send = async (session: string) => {
    const headers = { "x-troupe-session": session };
    // The test ends before the other daemons answer.
    return entry
      .send(path, { method: "POST", headers }, `hang ${session}`)
      .catch((caught: unknown) => caught);
  };
  const sent = new Map(SESSIONS.map((session) => [session, send(session)]));
  for (const session of await dieDuringCalls(entry)) {
    const { status, body } = (await sent.get(session)) as { status: number; body: string };
    assert.equal(status, 503);
    assert.equal((JSON.parse(body) as { detail: string }).detail, BEGUN);
  }
  assertNoRepetition(entry);
});

test("a stream's messages pass as they come, also after a reload", OPTIONS, async () => {
  await using entry = await startEntry("a");
  const [first] = entry.backends;
  const watch = entry.watch("s");
  assert.equal(String((await once(watch, "data"))[0]), "a");
  await using other = await startBackend("b", entry.certificates);
  await entry.nginx.reload(doorsOf([other]));
  first?.write("later");
  assert.equal(String((await once(watch, "data"))[0]), "later");
  // The old worker may take one more connection.
  let name = "";
  for (let tries = 0; tries < 20 && name !== "b 5"; tries++)
    name = await entry.click("s", "click", entry.connect());
  assert.equal(name, "b 5");
  first?.write("last");
  assert.equal(String((await once(watch, "data"))[0]), "last");
  watch.on("error", () => undefined);
  watch.cancel();
});

test("no stream is cut for an hour of silence", OPTIONS, () => {
  const shipped = readFileSync(new URL("../../../deploy/proxy/nginx.conf", import.meta.url), "utf8");
  for (const name of ["grpc_read_timeout", "grpc_send_timeout", "proxy_read_timeout", "proxy_send_timeout"])
    assert.match(shipped, new RegExp(`^ *${name} 1h;$`, "m"));
  for (const name of ["grpc_next_upstream", "proxy_next_upstream"])
    assert.match(shipped, new RegExp(`^ *${name} error timeout;$`, "m"));
});

test("server-sent events pass as they come", OPTIONS, async () => {
  await using entry = await startEntry("a");
  const sent = entry.begin("/events");
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  assert.equal(String((await once(response, "data"))[0]), "data: a\n\n");
  entry.backends[0]?.write("data: next\n\n");
  assert.equal(String((await once(response, "data"))[0]), "data: next\n\n");
  sent.destroy();
});

test("WebSockets reach a daemon", OPTIONS, async () => {
  await using entry = await startEntry("a");
  const socket = new WebSocket(`wss://${entry.nginx.http}/console/live`, { ca: entry.ca });
  await once(socket, "open");
  socket.send("hello");
  assert.equal(String((await once(socket, "message"))[0]), "a hello");
  socket.terminate();
});

test("a large gRPC message passes", OPTIONS, async () => {
  await using entry = await startEntry("a");
  const bytes = 64 * 2 ** 20;
  assert.equal(await entry.click("s", Buffer.alloc(bytes, "x")), `a ${bytes}`);
});

test("an upload reaches the daemon before its end", OPTIONS, async () => {
  await using entry = await startEntry("a");
  const upload = entry.begin("/upload", { method: "POST" });
  upload.write("first");
  await entry.begun(["first"]);
  const mebibyte = Buffer.alloc(2 ** 20, "x");
  for (let sent = 0; sent < 40; sent++) if (!upload.write(mebibyte)) await once(upload, "drain");
  upload.end();
  const [response] = (await once(upload, "response")) as [IncomingMessage];
  assert.equal(String((await once(response, "data"))[0]), `a ${5 + 40 * 2 ** 20}`);
});

test("a daemon with another authority's certificate gets no call", OPTIONS, async () => {
  await using entry = await startEntry("a");
  await using stranger = await startBackend("stranger", entry.certificates, { certificate: "foreign" });
  await entry.nginx.reload(doorsOf([stranger]));
  const names = await Promise.allSettled(SESSIONS.map((session) => entry.click(session)));
  assert.ok(names.every((result) => result.status === "rejected" || result.value.startsWith("a ")));
  assert.deepEqual(stranger.received, []);
});
