// Every door tried with every credential that is not enough. What the doors are, their servers say: a new one without a row fails.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { after, before, mock, test } from "node:test";
import { credentials, Server, type ServiceError } from "@grpc/grpc-js";
import type { FastifyInstance } from "fastify";
import type { ControlMethods } from "../../proto/gen/troupe.ts";
import { PROFILE, RESUME, ROLE, SESSION } from "../../proto/metadata.ts";
import { encode, messageType } from "../../proto/schema.ts";
import { inProfile, rpcs, type Tool } from "../../proto/tools.ts";
import { certificateFolder } from "../daemon/fixtures/certificates.ts";
import { testDaemon } from "../daemon/fixtures/daemon.ts";
import { callsOf, metadataOf, nameOf, type Rpc } from "./grpc-calls.ts";

const sha256 = (token: string) => createHash("sha256").update(token).digest("hex");
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const TOKENS = [
  // Whose session `mine` is.
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

const grpcDoors: Rpc[] = [];
const httpDoors: string[] = [];
let certificates: ReturnType<typeof certificateFolder>;
let troupe: Awaited<ReturnType<typeof testDaemon>>;
let strict: Awaited<ReturnType<typeof testDaemon>>;
let grpc: ReturnType<typeof callsOf>;
const read = (name: string) => readFileSync(certificates.file(name));
const ca = () => read("ca.crt");
/** Who the daemon is, the tests of its certificates ask. */
const tls = (...shown: Buffer[]) =>
  credentials.createSsl(ca(), shown[0], shown[1], { checkServerIdentity: () => undefined });

before(async () => {
  certificates = certificateFolder();
  const said = listening();
  const roles = { visitor: {}, customer: {} };
  const listen = ["unix:default", "127.0.0.1:0"];
  troupe = await testDaemon({ listen, tls: certificates.tls, tokens: TOKENS, roles });
  said.stop();
  grpcDoors.push(...said.grpc.values());
  httpDoors.push(...said.http);
  grpc = callsOf(troupe.daemon.addresses[1] ?? "", tls());
  const clientCa = certificates.file("ca.crt");
  strict = await testDaemon({ listen: ["127.0.0.1:0"], tls: { ...certificates.tls, clientCa }, roles });
  const mine = { headers: { ...bearer("ci-token"), [SESSION]: "mine" }, request: NAVIGATE() };
  assert.equal(await grpc.outcome(BROWSER("Navigate"), mine), "OK");
});

after(async () => {
  grpc[Symbol.dispose]();
  await Promise.all([troupe, strict].map((each) => each[Symbol.asyncDispose]()));
  certificates[Symbol.dispose]();
});

/** What servers are given while they are made. */
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

const NAVIGATE = () => encode(messageType("troupe.v1.NavigateRequest"), { url: "http://a.test/" });
const BROWSER = (rpc: string) => ({ path: `/troupe.v1.Browser/${rpc}`, kind: "unary" });
const CONTROL = (rpc: string) => ({ path: `/troupe.v1.Control/${rpc}`, kind: "unary" });

/** A call that a known client may not make, and what comes of it. */
interface Forbidden {
  what: string;
  headers: Record<string, string>;
  request?: Buffer;
  expected: string;
}

/** Goes on with a session of that name, and says so by the same word each time. */
const FOREIGN = {
  ...bearer("other-token"),
  [SESSION]: "mine",
  [RESUME]: "00000000-0000-4000-8000-000000000000",
};

/** What is tried at each tool. */
function ofTool(tool: Tool): Forbidden[] {
  const mine = { [SESSION]: "s" };
  const beyond = tool.offered && !inProfile(tool.profile, "small");
  return [
    { what: "another's session", headers: FOREIGN, expected: "SESSION_LOST" },
    {
      what: "a role that is not its own",
      headers: { ...mine, ...bearer("ci-token"), [ROLE]: "visitor" },
      expected: "PERMISSION_DENIED",
    },
    {
      what: "a profile that is not its own",
      headers: { ...mine, ...bearer("small-token"), [PROFILE]: "full" },
      expected: "PERMISSION_DENIED",
    },
    ...(beyond
      ? [
          {
            what: "a tool beyond its profile",
            headers: { ...mine, ...bearer("small-token") },
            expected: "PERMISSION_DENIED",
          },
        ]
      : []),
  ];
}

const message = (name: string, value: object) => encode(messageType(`troupe.v1.${name}`), value);
const otherRole = (name: string, value: object): Forbidden => ({
  what: "a role that is not its own",
  headers: bearer("ci-token"),
  request: message(name, value),
  expected: "PERMISSION_DENIED",
});
const changes = (name: string, value: object = {}): Forbidden[] =>
  ["ci-token", "reader-token"].map((token) => ({
    what: `the right to read (${token})`,
    headers: bearer(token),
    request: message(name, value),
    expected: "PERMISSION_DENIED",
  }));

/** What is tried at each call of the control plane. */
const CONTROL_ROWS: Record<keyof ControlMethods, Forbidden[]> = {
  // What these tell differs with who asks: below.
  GetStatus: [],
  ListRoles: [],
  GetRole: [otherRole("GetRoleRequest", { name: "visitor" })],
  RestartRole: changes("RestartRoleRequest", { name: "customer" }),
  ListSessions: [otherRole("ListSessionsRequest", { role: "visitor" })],
  CloseSession: ["small-token", "reader-token"].map((token) => ({
    what: `another's session (${token})`,
    headers: bearer(token),
    request: message("CloseSessionRequest", { session: "mine" }),
    expected: "SESSION_EXPIRED",
  })),
  GetFailures: [otherRole("ControlGetFailuresRequest", { role: "visitor" })],
  ClearFailures: changes("ControlClearFailuresRequest", { role: "customer" }),
  ListCalls: [otherRole("ListCallsRequest", { role: "visitor" })],
  ReportRefusal: [
    {
      what: "another's session",
      headers: FOREIGN,
      request: message("ReportRefusalRequest", {
        type: "INVALID_ARGUMENT",
        tool: "browser_click",
        digest: Buffer.alloc(32),
      }),
      expected: "SESSION_LOST",
    },
  ],
  WatchEvents: [
    otherRole("WatchEventsRequest", { role: "visitor" }),
    {
      what: "another's session",
      headers: FOREIGN,
      request: message("WatchEventsRequest", { holdsSession: true }),
      expected: "SESSION_LOST",
    },
  ],
  Drain: changes("DrainRequest"),
};

/** Whether a door asks who comes, and what it refuses whom it knows. */
const GRPC_ROWS: Record<string, { open: boolean; forbidden: Forbidden[] }> = {
  ...Object.fromEntries(
    rpcs.map((tool) => [BROWSER(tool.rpc).path, { open: false, forbidden: ofTool(tool) }]),
  ),
  ...Object.fromEntries(
    Object.entries(CONTROL_ROWS).map(([rpc, forbidden]) => [CONTROL(rpc).path, { open: false, forbidden }]),
  ),
  // Probes of an orchestrator have no token.
  "/grpc.health.v1.Health/Check": { open: true, forbidden: [] },
  "/grpc.health.v1.Health/Watch": { open: true, forbidden: [] },
  "/grpc.health.v1.Health/List": { open: true, forbidden: [] },
  "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": { open: false, forbidden: [] },
  "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": { open: false, forbidden: [] },
};

test("each rpc that a server has stands in the table, and no other", () => {
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

test("gRPC: whoever is known gets what is his, and nothing of others", async () => {
  for (const rpc of grpcDoors)
    for (const { what, expected, ...called } of GRPC_ROWS[rpc.path]?.forbidden ?? [])
      assert.equal(await grpc.outcome(rpc, called), expected, `${rpc.path}: ${what}`);
});

test("the owner of the socket needs no token, and nobody else can reach it", async () => {
  const address = troupe.daemon.addresses[0] ?? "";
  using own = callsOf(address, credentials.createInsecure());
  for (const headers of Object.values(NOBODY))
    assert.equal(await own.outcome(CONTROL("GetStatus"), { headers }), "OK");
  assert.equal(statSync(address.slice("unix:".length)).mode & 0o777, 0o600);
  assert.equal(statSync(troupe.config.state.dir).mode & 0o777, 0o700);
});

test("where an authority for clients stands, none and a foreign certificate open nothing", async () => {
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
    const answer = await http("GET", strict.daemon.http[0] ?? "", "/v1/tools", {}, options).catch(
      () => undefined,
    );
    assert.equal(answer?.status, expected === "OK" ? 200 : undefined);
  }
});

/** What stands at a path: asked of everybody, answered to anybody, or no such method. */
type HttpRow = {
  open: boolean;
  forbidden: { what: string; headers: Record<string, string>; status: number; type: string; tool?: string }[];
};
const ofProfile = {
  what: "a profile",
  headers: { ...bearer("small-token"), [PROFILE]: "full" },
  status: 403,
  type: "PERMISSION_DENIED",
};
const HTTP_ROWS: Record<string, HttpRow> = {
  "GET /livez": { open: true, forbidden: [] },
  "GET /readyz": { open: true, forbidden: [] },
  "GET /metrics": { open: false, forbidden: [] },
  "GET /openapi.json": { open: false, forbidden: [] },
  "GET /v1/tools": { open: false, forbidden: [ofProfile] },
  "POST /v1/tools/:tool": {
    open: false,
    forbidden: [
      ofProfile,
      {
        what: "a tool beyond the profile",
        tool: "browser_hover",
        headers: { ...bearer("small-token"), [SESSION]: "s" },
        status: 404,
        type: "UNKNOWN_TOOL",
      },
      {
        what: "a role",
        headers: { ...bearer("ci-token"), [SESSION]: "s", [ROLE]: "visitor" },
        status: 403,
        type: "PERMISSION_DENIED",
      },
      {
        what: "another's session",
        headers: FOREIGN,
        status: 200,
        type: "SESSION_LOST",
      },
    ],
  },
};

test("each path that HTTP has stands in the table with its method; with any other it has none", async () => {
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

test("HTTP: none of those who are nobody opens a door that asks", async () => {
  for (const [who, headers] of Object.entries(NOBODY))
    for (const [row, { open }] of Object.entries(HTTP_ROWS)) {
      const { status, type } = await tried(row, { ...headers, [SESSION]: "mine" });
      assert.equal(status, open ? 200 : 401, `${row}: ${who}`);
      if (!open) assert.equal(type, "UNAUTHENTICATED");
    }
  // Without an account of others, the daemon's own token would be one.
  const own = readFileSync(troupe.config.state.token, "utf8").trim();
  assert.equal((await tried("GET /v1/tools", bearer(own))).status, 401);
});

test("HTTP: whoever is known gets what is his, and nothing of others", async () => {
  for (const [row, { forbidden }] of Object.entries(HTTP_ROWS))
    for (const { what, headers, status, type, tool } of forbidden)
      assert.deepEqual(await tried(row, headers, tool), { status, type }, `${row}: ${what}`);
});

test("nobody of all these has touched the session, and each sees his own alone", async () => {
  const sessionsOf = async (token: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    const same = (bytes: Buffer) => bytes;
    const done = (error: ServiceError | null, bytes?: Buffer) => (error ? reject(error) : resolve(bytes));
    const { path } = CONTROL("ListSessions");
    grpc.client.makeUnaryRequest(path, same, same, Buffer.alloc(0), metadataOf(bearer(token)), done);
    const { sessions } = messageType("troupe.v1.ListSessionsResponse").decode(
      (await promise) ?? Buffer.alloc(0),
    ) as unknown as {
      sessions: { client: string; id: string }[];
    };
    return sessions.map(({ client, id }) => `${client}/${id}`);
  };
  assert.ok((await sessionsOf("ci-token")).includes("ci/mine"));
  for (const token of ["ci", "other", "small"])
    for (const key of await sessionsOf(`${token}-token`)) assert.ok(key.startsWith(`${token}/`), key);
  assert.ok((await sessionsOf("reader-token")).includes("ci/mine"));
});

for (const [rpc, request] of [
  ["Browser/Watch", Buffer.alloc(0)],
  ["Browser/Snapshot", message("SnapshotRequest", { depth: 400 })],
  ["Control/WatchEvents", Buffer.alloc(0)],
] as const) {
  test(`a stream of ${rpc} ends when its token is taken away`, async () => {
    const headers = metadataOf({ ...bearer("ci-token"), [SESSION]: "mine" });
    const same = (bytes: Buffer) => bytes;
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
  const { status, body } = await http(method, troupe.daemon.http[0] ?? "", url, headers);
  const type = body.startsWith("{") ? (JSON.parse(body).error?.type ?? "") : "";
  return { status, type };
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
