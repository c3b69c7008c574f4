// Malformed requests: each gets an error in words, none reaches a tool, and the daemon goes on.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Admission } from "../../../daemon/admission/admission.ts";
import { systemClock } from "../../../daemon/core/clock.ts";
import { HTTP_TIMES, HttpServer } from "../../../daemon/http/http-server.ts";
import { createMetrics } from "../../../daemon/telemetry/metrics.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { EVENT_MS_MAX } from "../../harness/events/after-events.ts";
import { restClient } from "../../harness/rest.ts";

const troupe = await testDaemon({ roles: { one: {} } });
const rest = restClient(troupe.daemon.http[0] ?? "", troupe.config.state.token);
after(async () => {
  // No worker was started for any of these requests.
  assert.equal(troupe.daemon.supervisor.roles.get("one")?.stand.state, "STOPPED");
  assert.equal((await fetch(`${troupe.daemon.http[0]}/livez`)).status, 200);
  await troupe[Symbol.asyncDispose]();
});

const SECRET = "hunter2-is-my-secret";

for (const [what, body, status, said] of [
  ["no JSON", `{"text": ${SECRET}}`, 400, /the body is not JSON/],
  ["half of an object", `{"text": "${SECRET}"`, 400, /the body is not JSON/],
  ["a list", `[{"ref": "${SECRET}"}]`, 400, /the body is a list/],
  ["a number", "5", 400, /the body is a number/],
  ["null", "null", 400, /the body is null/],
  ["a text that is no JSON", JSON.stringify(SECRET), 400, /the body is not JSON/],
  ["a text that holds a list", JSON.stringify(`["${SECRET}"]`), 400, /the body is a list/],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, /not UTF-8/],
  [
    "lists in lists in lists",
    `{"reff": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    400,
    /nested more than 32/,
  ],
  ["objects in objects", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, 400, /nested more than 32/],
  ["5 MB", JSON.stringify({ text: "x".repeat(5e6) }), 413, /more than 4 MiB/],
] as const) {
  test(`a body of ${what} is refused with ${status}, and its content is repeated nowhere`, async () => {
    const { status: given, headers, json, body: told } = await rest.call("browser_type", {}, { body });
    assert.deepEqual([given, headers["content-type"]], [status, "application/problem+json"]);
    assert.equal(json.error?.type, "INVALID_ARGUMENT");
    assert.match(json.text, said);
    for (const text of [told, ...troupe.lines]) assert.ok(!text.includes(SECRET));
  });
}

for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", ""]) {
  test(`an argument called ${JSON.stringify(name)} is unknown like any other`, async () => {
    const body = `{"ref": "e5", ${JSON.stringify(name)}: {"ref": "e6"}}`;
    const { status, json } = await rest.call("browser_click", {}, { body });
    assert.deepEqual(
      [status, json.error?.type, json.error?.details.argument],
      [200, "INVALID_ARGUMENT", name],
    );
    assert.equal(({} as Record<string, unknown>).ref, undefined);
  });
}

for (const type of [
  undefined,
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/jsonp",
  "application/json-patch+json",
  "*/*",
  ";",
]) {
  test(`a body of the type ${type} is refused, and the accepted one is named`, async () => {
    const { status, json } = await rest.call(
      "browser_click",
      { ref: "e5" },
      { headers: { "content-type": type } },
    );
    assert.deepEqual([status, json.error?.details.argument], [415, "content-type"]);
    assert.match(json.text, /Content-Type: application\/json/);
  });
}

test("other spellings of the JSON content type are accepted", async () => {
  for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON"]) {
    const { status, json } = await rest.call("browser_click", {}, { headers: { "content-type": type } });
    assert.deepEqual([status, json.error?.details.argument], [200, "ref"]);
  }
});

test("a compressed body is not unpacked and so is no JSON", async () => {
  const body = gzipSync(JSON.stringify({ text: "x".repeat(50e6) }));
  const { status } = await rest.call("browser_type", {}, { body, headers: { "content-encoding": "gzip" } });
  assert.equal(status, 400);
});

for (const name of [
  "..%2f..%2fetc%2fpasswd",
  "%00%1b%5b31m",
  "constructor",
  "__proto__",
  "browser_click%0d%0aX-Injected:%20yes",
  "browser_click%20",
  "%F0%9F%92%A5",
  "Watch",
]) {
  test(`there is no tool ${name}`, async () => {
    const { status, headers, json } = await rest.call(name, { ref: "e5" });
    assert.deepEqual([status, json.error?.type], [404, "UNKNOWN_TOOL"]);
    assert.equal(headers["x-injected"], undefined);
    assert.doesNotMatch(json.text.replaceAll("\n", ""), /\p{Cc}/u);
  });
}

test("a tool's name longer than the bound is refused unread", async () => {
  const { status, json } = await rest.call("x".repeat(5000));
  assert.equal(status, 414);
  assert.ok(json.text.length < 2000);
});

/** Sends raw bytes. Resolves with the answer once the other side closes. */
function raw(address: string, bytes: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let said = "";
  socket.on("data", (chunk) => (said += chunk));
  socket.on("close", () => resolve(said));
  socket.on("error", reject);
  socket.write(bytes);
  return promise;
}

function head(lines: string[]): string {
  const all = ["POST /v1/tools/browser_click HTTP/1.1", "Host: 127.0.0.1", ...lines];
  return `${all.join("\r\n")}\r\n\r\n`;
}

for (const [what, bytes, status] of [
  ["no HTTP", "\x16\x03\x01 hello\r\n\r\n", 400],
  ["a header with a line break in it", head(["X-Troupe-Session: a\nX-Other: b\r c"]), 400],
  ["a header with a zero byte", head(["X-Troupe-Session: a\0b"]), 400],
  ["two lengths", head(["Content-Length: 5", "Content-Length: 6"]), 400],
  ["a length and chunks", head(["Content-Length: 5", "Transfer-Encoding: chunked"]), 400],
  ["headers without end", `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"y".repeat(100_000)}`, 431],
] as const) {
  test(`a request of ${what} is a problem, and the connection is closed`, async () => {
    const said = await raw(troupe.daemon.http[0] ?? "", bytes);
    assert.match(said, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(said, /content-type: application\/problem\+json\r\n/i);
    assert.equal(JSON.parse(said.slice(said.indexOf("\r\n\r\n"))).error.type, "INVALID_ARGUMENT");
  });
}

test("a session header sent twice is refused", async () => {
  const body = '{"ref":"e5"}';
  const said = await raw(
    troupe.daemon.http[0] ?? "",
    head([
      `Authorization: Bearer ${rest.token}`,
      "Content-Type: application/json",
      "X-Troupe-Session: a",
      "X-Troupe-Session: b",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ]) + body,
  );
  assert.match(said, /^HTTP\/1\.1 400 /);
  assert.match(said, /x-troupe-session is not well formed, or given more than once/);
});

test("a body that never arrives or stops is given up in time", async () => {
  const times = { ...HTTP_TIMES, headersMs: 200, requestMs: 400, lookMs: 50 };
  await using server = await ownDoor(times);
  const [address = ""] = server.addresses;
  const slow = head(["Authorization: Bearer t", "Content-Type: application/json", "Content-Length: 100"]);
  for (const bytes of [`${slow}{"ref":`, "POST /v1/tools/x HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A"])
    assert.match(await raw(address, bytes), /^HTTP\/1\.1 408 [\s\S]*did not come whole in time/);
});

test("idle connections beyond the bound close for new ones", async () => {
  await using server = await ownDoor({ ...HTTP_TIMES, connectionsMax: 2 });
  const atRest = await Promise.all(
    [1, 2].map(() => opened(server, "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")),
  );
  await Promise.all(atRest.map(({ answered }) => answered));
  assert.equal((await fetch(`${server.addresses[0]}/livez`)).status, 200);
  await Promise.race(atRest.map(({ closed }) => closed));
});

test("connections that send nothing close for new ones too", async () => {
  await using server = await ownDoor({ ...HTTP_TIMES, connectionsMax: 2 });
  const { hostname, port } = new URL(server.addresses[0] ?? "");
  using silent = new DisposableStack();
  const gone: Promise<unknown>[] = [];
  for (let each = 0; each < 6; each++) {
    const socket = silent.adopt(connect(Number(port), hostname), (opened) => opened.destroy()).resume();
    gone.push(once(socket, "close", { signal: AbortSignal.timeout(EVENT_MS_MAX) }));
    await once(socket, "connect");
    await gone[each - 2];
  }
  assert.equal((await fetch(`${server.addresses[0]}/livez`)).status, 200);
});

test("without idle connections one with an unfinished head closes, and one with a whole head stays", async () => {
  await using server = await ownDoor({ ...HTTP_TIMES, connectionsMax: 2 });
  const address = server.addresses[0] ?? "";
  const { hostname, port } = new URL(address);
  const half = connect(Number(port), hostname).on("error", () => undefined);
  const closed = new Promise((resolve) => half.once("close", resolve));
  half.resume().write("GET /livez HTTP/1.1\r\nHost: 127");
  await once(half, "connect");
  const json = ["Authorization: Bearer t", "Content-Type: application/json", "Content-Length: 2"];
  const known = await opened(server, head([...json, "Expect: 100-continue"]));
  await known.answered;
  const ask = "GET /v1/tools HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  assert.match(await raw(address, ask), /^HTTP\/1\.1 401 /);
  await closed;
  const said = once(known.socket, "data", { signal: AbortSignal.timeout(EVENT_MS_MAX) });
  known.socket.write("{]");
  assert.match((await said)[0], /^HTTP\/1\.1 400 /);
  known.socket.destroy();
});

test("a connection with a second request under way is not idle", async () => {
  await using server = await ownDoor({ ...HTTP_TIMES, connectionsMax: 1 });
  const live = "GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  const next = head(["Authorization: Bearer t", "Content-Type: application/json", "Content-Length: 2"]);
  const { socket, answered } = await opened(server, `${live}\r\n${next}`);
  await answered;
  assert.equal((await fetch(`${server.addresses[0]}/livez`)).status, 200);
  const answer = once(socket, "data", { signal: AbortSignal.timeout(EVENT_MS_MAX) });
  // The malformed body gets its error once it has arrived.
  socket.write("{]");
  const [said] = await answer;
  assert.match(said, /^HTTP\/1\.1 400 /);
  socket.destroy();
});

test("if no connection can close, a new one gets a retry time, and probes get answers", async () => {
  await using server = await ownDoor({ ...HTTP_TIMES, connectionsMax: 2 });
  const json = ["Authorization: Bearer t", "Content-Type: application/json", "Content-Length: 2"];
  const begun = head([...json, "Expect: 100-continue"]);
  const half = await Promise.all([1, 2].map(() => opened(server, begun)));
  for (const { answered } of half) assert.match((await answered)[0], /^HTTP\/1\.1 100 /);
  const said = await raw(server.addresses[0] ?? "", "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  assert.match(said, /^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n/i);
  const { error, text } = JSON.parse(said.slice(said.indexOf("\r\n\r\n")));
  assert.deepEqual([error.type, error.retry], ["BUSY", { afterMs: 1000, sameCall: true }]);
  assert.match(text, /2 connections at once/);
  assert.equal((await fetch(`${server.addresses[0]}/readyz`)).status, 200);
  for (const { socket } of half) {
    const said = once(socket, "data", { signal: AbortSignal.timeout(EVENT_MS_MAX) });
    socket.write("{]");
    assert.match((await said)[0], /^HTTP\/1\.1 400 /);
    socket.destroy();
  }
});

/** Opens a connection and sends these bytes. */
async function opened(server: HttpServer, bytes: string) {
  const { hostname, port } = new URL(server.addresses[0] ?? "");
  const socket = connect(Number(port), hostname).setEncoding("utf8");
  const [answered, closed] = [once(socket, "data"), once(socket, "close")];
  await once(socket, "connect");
  socket.write(bytes);
  return { socket, answered, closed };
}

/** A door with these bounds and no tools behind it. */
async function ownDoor(times: typeof HTTP_TIMES): Promise<HttpServer> {
  const parts = {
    metrics: createMetrics(),
    notReady: () => undefined,
    hosts: [],
    log: troupe.log,
    tls: undefined,
    clock: systemClock,
    paths: [],
    rest: {
      calls: { desk: undefined as never, own: new Map() },
      accounts: undefined as never,
      admission: new Admission(
        { tokens: undefined, ownToken: "t", asksOnTcp: false },
        systemClock,
        troupe.log,
      ),
    },
  };
  return await HttpServer.open(parts, [{ host: "127.0.0.1", port: 0 }], times);
}
