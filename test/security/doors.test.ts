// Tries every door with every insufficient credential. The servers themselves list the doors, so a new one without a
// row fails.
import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { mock, test } from "node:test";
import { credentials, Server, type ServiceError } from "@grpc/grpc-js";
import type { FastifyInstance } from "fastify";
import type { ControlMethods } from "../../proto/gen/troupe.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import { decode, messageType } from "../../proto/wire/schema.ts";
import { type Method, metadataOf, unaryBytes } from "../harness/calls.ts";
import { certificateFolder } from "../harness/certificates.ts";
import { testDaemon } from "../harness/daemon.ts";
import { shared } from "../harness/shared.ts";
import { sha256 } from "../harness/tokens.ts";
import { BROWSER, bearer, CONTROL, GRPC_ROWS, HTTP_ROWS, message } from "./door-rows.ts";
import { callsOf, nameOf, type Rpc } from "./grpc-calls.ts";

const TOKENS = [
  // The owner of the session `mine`.
  { name: "ci", sha256: sha256("ci-token"), roles: ["customer"] },
  { name: "other", sha256: sha256("other-token"), roles: ["customer"] },
  { name: "small", sha256: sha256("small-token"), profiles: ["small"] },
  { name: "reader", sha256: sha256("reader-token"), control: "read" },
  { name: "old", sha256: sha256("old-token"), notAfter: "2020-01-01" },
];
const NOBODY: Record<string, Record<string, string>> = {
  "no credential": {},
  "a wrong token": bearer("wrong-token"),
  "a token that has ended": bearer("old-token"),
  "half a token": bearer("ci-toke"),
  "another scheme": { authorization: `Basic ${btoa("ci:ci-token")}` },
};

const certificates = shared(certificateFolder());
const read = (name: string) => readFileSync(certificates.file(name));
const ca = () => read("ca.crt");
/** The tests of certificates check the daemon's identity, so these tests do not. */
const tls = (...shown: Buffer[]) =>
  credentials.createSsl(ca(), shown[0], shown[1], { checkServerIdentity: () => undefined });

const same = (bytes: Buffer) => bytes;

/** Records what servers register while they are made. */
function listening() {
  const grpc = new Map<string, Rpc>();
  const http = new Set<string>();
  const { register } = Server.prototype;
  mock.method(
    Server.prototype,
    "register",
    function (this: Server, ...given: Parameters<Server["register"]>) {
      const [path, , , , kind] = given;
      grpc.set(path, { path, kind });
      return register.apply(this, given);
    },
  );
  const made = channel("fastify.initialization");
  const heard = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      for (const each of [method].flat()) http.add(`${each} ${url}`);
    });
  };
  made.subscribe(heard);
  return {
    grpc,
    http,
    stop() {
      mock.restoreAll();
      made.unsubscribe(heard);
    },
  };
}

const navigate = (url = "http://a.test/") => message("NavigateRequest", { url });

const heard = listening();
const roles = { visitor: {}, customer: {} };
const listen = ["unix:default", "127.0.0.1:0"];
const troupe = shared(await testDaemon({ listen, tls: certificates.tls, tokens: TOKENS, roles }));
heard.stop();
const [grpcDoors, httpDoors] = [[...heard.grpc.values()], [...heard.http]];
const grpc = shared(callsOf(troupe.daemon.addresses[1] ?? "", tls()));
const clientCa = certificates.file("ca.crt");
const strict = shared(
  await testDaemon({ listen: ["127.0.0.1:0"], tls: { ...certificates.tls, clientCa }, roles }),
);
const mine = { headers: { ...bearer("ci-token"), [SESSION]: "mine" }, request: navigate() };
assert.equal(await grpc.outcome(BROWSER("Navigate"), mine), "OK");

test("the table has exactly the rpcs of the servers", () => {
  assert.deepEqual(grpcDoors.map(({ path }) => path).sort(), Object.keys(GRPC_ROWS).sort());
});

for (const [who, headers] of Object.entries(NOBODY)) {
  test(`gRPC: ${who} opens no door that asks`, async () => {
    for (const rpc of grpcDoors) {
      const outcome = await grpc.outcome(rpc, { headers: { ...headers, [SESSION]: "mine" } });
      const expected = GRPC_ROWS[rpc.path]?.open ? "OK" : "UNAUTHENTICATED";
      assert.equal(outcome, expected, rpc.path);
    }
  });
}

test("gRPC: a known client gets its own data, and nothing of others", async () => {
  for (const rpc of grpcDoors)
    for (const { what, expected, ...called } of GRPC_ROWS[rpc.path]?.forbidden ?? [])
      assert.equal(await grpc.outcome(rpc, called), expected, `${rpc.path}: ${what}`);
});

test("the socket's owner needs no token, and no other user can reach the socket", async () => {
  const address = troupe.daemon.addresses[0] ?? "";
  using own = callsOf(address, credentials.createInsecure());
  for (const headers of Object.values(NOBODY))
    assert.equal(await own.outcome(CONTROL("GetStatus"), { headers }), "OK");
  assert.equal(statSync(address.slice("unix:".length)).mode & 0o777, 0o600);
  assert.equal(statSync(troupe.config.state.dir).mode & 0o777, 0o700);
});

test("with an authority for clients, a missing or foreign certificate opens nothing", async () => {
  const address = strict.daemon.addresses[0] ?? "";
  for (const [name, expected] of [
    [undefined, "UNAVAILABLE"],
    ["foreign", "UNAVAILABLE"],
    ["ada", "OK"],
  ] as const) {
    const shown = name ? [read(`${name}.key`), read(`${name}.crt`)] : [];
    using calls = callsOf(address, tls(...shown));
    for (const rpc of [CONTROL("GetStatus"), CONTROL("ListSessions")])
      assert.equal(await calls.outcome(rpc, { headers: bearer("ci-token") }), expected, `${name}`);
    if (name === "ada") assert.equal(await calls.outcome(CONTROL("Drain"), {}), "PERMISSION_DENIED");
    const options = name ? { key: read(`${name}.key`), cert: read(`${name}.crt`) } : {};
    // A failed TLS handshake has no answer, as expected.
    const answer = await http("GET", strict.daemon.http[0] ?? "", "/v1/tools", {}, options).catch(
      () => undefined,
    );
    assert.equal(answer?.status, expected === "OK" ? 200 : undefined);
  }
});

test("the table has exactly the HTTP paths, each with its only method", async () => {
  const paths = new Set(Object.keys(HTTP_ROWS).map((row) => row.split(" ")[1]));
  const others: string[] = [];
  for (const door of httpDoors) {
    const [method = "", path = ""] = door.split(" ");
    if (HTTP_ROWS[door] || (method === "HEAD" && HTTP_ROWS[`GET ${path}`])) continue;
    assert.ok(paths.has(path), `${door} has no row`);
    others.push(door);
  }
  assert.ok(others.length > 0 && Object.keys(HTTP_ROWS).every((row) => httpDoors.includes(row)));
  for (const door of others.filter((each) => !each.startsWith("CONNECT "))) {
    const [method = "", path = ""] = door.split(" ");
    const { status } = await http(method, troupe.daemon.http[0] ?? "", path, { ...bearer("ci-token") });
    assert.equal(status, 405, door);
  }
});

test("HTTP: unknown callers open no door with authentication", async () => {
  for (const [who, headers] of Object.entries(NOBODY))
    for (const [row, { open, status: opened = 200 }] of Object.entries(HTTP_ROWS)) {
      const { status, type } = await tried(row, { ...headers, [SESSION]: "mine" });
      assert.equal(status, open ? opened : 401, `${row}: ${who}`);
      if (!open) assert.equal(type, "UNAUTHENTICATED");
    }
  // If the daemon's own token were valid beside configured ones, it would give access.
  const own = readFileSync(troupe.config.state.token, "utf8").trim();
  assert.equal((await tried("GET /v1/tools", bearer(own))).status, 401);
});

test("HTTP: a known client gets its own data, and nothing of others", async () => {
  for (const [row, { forbidden }] of Object.entries(HTTP_ROWS))
    for (const { what, headers, status, type, tool } of forbidden)
      assert.deepEqual(await tried(row, headers, tool), { status, type }, `${row}: ${what}`);
});

/** Resolves with the answer for the client of that token. */
async function replyTo<T>(rpc: Method, token: string, request: Buffer, response: string): Promise<T> {
  const headers = { ...bearer(token), [SESSION]: "mine" };
  const bytes = await unaryBytes(grpc.client, rpc, request, { headers });
  return decode<T>(messageType(`troupe.v1.${response}`), bytes);
}

test("none of these calls touched the session, and each client sees its own sessions only", async () => {
  const sessionsOf = async (token: string) => {
    type Reply = ControlMethods["ListSessions"]["response"];
    const { sessions } = await replyTo<Reply>(
      "Control.ListSessions",
      token,
      Buffer.alloc(0),
      "ListSessionsResponse",
    );
    return sessions.map(({ client, id }) => `${client}/${id}`);
  };
  assert.ok((await sessionsOf("ci-token")).includes("ci/mine"));
  for (const name of ["ci", "other", "small"])
    for (const key of await sessionsOf(`${name}-token`)) assert.ok(key.startsWith(`${name}/`), key);
  assert.ok((await sessionsOf("reader-token")).includes("ci/mine"));
});

test("a page's failures are visible to its client, and to clients with the right to read", async () => {
  const crash = navigate("http://do/crash-page?page=http://secret.ci.test/");
  await replyTo("Browser.Navigate", "ci-token", crash, "NavigateResponse");
  const ofRole = message("GetFailuresRequest", { role: "customer" });
  const asked = [
    ["Browser.GetFailures", ofRole, "GetFailuresResponse"],
    [
      "Control.GetFailures",
      message("ControlGetFailuresRequest", { role: "customer" }),
      "ControlGetFailuresResponse",
    ],
  ] as const;
  for (const [token, sees] of [
    ["ci-token", true],
    ["other-token", false],
    ["reader-token", true],
  ] as const) {
    for (const [rpc, request, response] of asked) {
      const text = JSON.stringify(await replyTo(rpc, token, request, response));
      assert.equal(text.includes("secret.ci.test"), sees, `${rpc}: ${token}`);
    }
  }
});

for (const [rpc, request] of [
  ["Browser/Watch", Buffer.alloc(0)],
  ["Browser/Snapshot", message("SnapshotRequest", { depth: 400 })],
  ["Control/WatchEvents", Buffer.alloc(0)],
] as const) {
  test(`a stream of ${rpc} ends when its token is taken away`, async () => {
    const headers = metadataOf({ ...bearer("ci-token"), [SESSION]: "mine" });
    const stream = grpc.client.makeServerStreamRequest(`/troupe.v1.${rpc}`, same, same, request, headers);
    const ended = once(stream, "error", { signal: AbortSignal.timeout(8000) });
    await once(stream, "data");
    stream.pause();
    const { tokens } = troupe.config;
    troupe.daemon.admit({ tokens: tokens?.filter(({ name }) => name !== "ci"), tls: undefined });
    stream.resume();

    const [error] = (await ended) as [ServiceError];
    troupe.daemon.admit({ tokens, tls: undefined });
    assert.equal(nameOf(error), "UNAUTHENTICATED");
  });
}

async function tried(
  row: string,
  headers: Record<string, string>,
  tool = "browser_click",
): Promise<{ status: number; type: string }> {
  const [method = "", path = ""] = row.split(" ");
  const url = path.replace(":tool", tool);
  const origin = troupe.daemon.http[0] ?? "";
  const ofPage: Record<string, string> = path.startsWith("/console")
    ? { origin, "x-troupe-console": "1" }
    : {};
  const { status, body } = await http(method, origin, url, { ...ofPage, ...headers });
  const { error } = body.startsWith("{") ? JSON.parse(body) : {};
  // MCP's errors are those of JSON-RPC, with ours in their data.
  return { status, type: error?.type ?? error?.data?.error?.type ?? "" };
}

function http(
  method: string,
  address: string,
  path: string,
  given: Record<string, string>,
  options: object = {},
) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const isPost = method === "POST";
  const headers = { ...given, ...(isPost && { "content-type": "application/json" }) };
  const url = new URL(path, address);
  const sent = httpsRequest(url, { method, headers, ca: ca(), agent: false, ...options }, (response) => {
    let body = "";
    response.on("data", (chunk) => (body += chunk));
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
  });
  sent.on("error", reject);
  sent.end(isPost ? '{"ref":"e1"}' : undefined);
  return promise;
}
