// The gRPC door against clients that only hold it open: raw HTTP/2 that no gRPC client would send.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import { test } from "node:test";
import { Metadata, ServerInterceptingCall, type ServerInterceptor, status } from "@grpc/grpc-js";
import { type Client, OWNER } from "../../../daemon/admission/client.ts";
import { TlsIdentity } from "../../../daemon/admission/tls.ts";
import { authInterceptor } from "../../../daemon/grpc/auth-interceptor.ts";
import { CONNECTION_BOUNDS } from "../../../daemon/grpc/connections.ts";
import { Health } from "../../../daemon/grpc/health.ts";
import { GrpcServer } from "../../../daemon/grpc/server.ts";
import { fail } from "../../../proto/errors/catalogue.ts";
import { STATUS_DETAILS } from "../../../proto/wire/metadata.ts";
import { certificateFolder } from "../../harness/certificates.ts";
import { testDaemon } from "../../harness/daemon.ts";
import { EVENT_MS_MAX } from "../../harness/events/after-events.ts";
import { shared } from "../../harness/shared.ts";
import { sha256 } from "../../harness/tokens.ts";

const TOKEN = "a-token-of-the-test";
const REFLECTION = ["v1", "v1alpha"].map(
  (each) => `/grpc.reflection.${each}.ServerReflection/ServerReflectionInfo`,
);

const digest = sha256(TOKEN);
const troupe = shared(
  await testDaemon({ listen: ["unix:default", "127.0.0.1:0"], tokens: [{ name: "ci", sha256: digest }] }),
);
const tcp = troupe.daemon.addresses[1] ?? "";

/** A connection. Its disposal destroys it. */
function opened(address: string): ClientHttp2Session & Disposable {
  const session = connect(`http://${address}`);
  session.on("error", () => undefined);
  return Object.assign(session, { [Symbol.dispose]: () => session.destroy() });
}

/** Sends the headers of a call, and no message. */
function begin(
  session: ClientHttp2Session,
  path: string,
  headers: Record<string, string> = {},
): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  stream.on("error", () => undefined);
  stream.resume();
  return stream;
}

/** Resolves with a call's end: a status alone, or one after the headers. */
async function endOf(stream: ClientHttp2Stream): Promise<Record<string, unknown>> {
  const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
  for (const event of ["response", "trailers"])
    stream.on(event, (headers) => headers["grpc-status"] !== undefined && resolve(headers));
  const late = once(AbortSignal.timeout(EVENT_MS_MAX), "abort").then(() =>
    assert.fail("the call does not end"),
  );
  return await Promise.race([promise, late]);
}

const bearer = { authorization: `Bearer ${TOKEN}` };

for (const path of [
  "/troupe.v1.Browser/Navigate",
  "/troupe.v1.Browser/Watch",
  "/troupe.v1.Control/GetStatus",
  "/troupe.v1.Control/WatchEvents",
  ...REFLECTION,
]) {
  test(`${path}: an unknown client is refused by its headers, before any message`, async () => {
    using session = opened(tcp);
    for (const headers of [{}, { authorization: "Bearer wrong" }]) {
      const end = await endOf(begin(session, path, headers as Record<string, string>));
      assert.equal(Number(end["grpc-status"]), status.UNAUTHENTICATED);
      assert.ok(end[STATUS_DETAILS], "with its details");
    }
    const known = begin(session, path, bearer);
    const health = begin(session, "/grpc.health.v1.Health/Check");
    health.end(Buffer.from([0, 0, 0, 0, 0]));
    assert.equal(Number((await endOf(health))["grpc-status"]), status.OK, "health asks nobody");
    assert.equal(known.sentTrailers ?? known.closed, false);
    known.close();
  });
}

test("with a token, reflection lists the services", async () => {
  using session = opened(tcp);
  const stream = begin(session, REFLECTION[0] ?? "", bearer);
  let told = "";
  stream.on("data", (chunk) => (told += chunk));
  // These bytes are ServerReflectionRequest{list_services: ""}.
  stream.end(Buffer.from([0, 0, 0, 0, 2, 0x3a, 0]));
  assert.equal(Number((await endOf(stream))["grpc-status"]), status.OK);
  assert.match(told, /troupe\.v1\.Browser/);
});

test("a connection has a bounded number of calls at once", async () => {
  using session = opened(tcp);
  const [settings] = await once(session, "remoteSettings");
  assert.equal(settings.maxConcurrentStreams, 1000);
});

const NAVIGATE = "/troupe.v1.Browser/Navigate";
const WATCH = "/grpc.health.v1.Health/Watch";
const EMPTY = Buffer.from([0, 0, 0, 0, 0]);
const SERVICE_UNKNOWN = 3;

const refusedUnheard = () => ({
  code: status.INVALID_ARGUMENT,
  details: "refused unheard",
  metadata: new Metadata(),
});
const letIn: ServerInterceptor = (_method, call) => new ServerInterceptingCall(call);

/** A door with these bounds that serves health only. */
function ownDoor(bounds: Partial<typeof CONNECTION_BOUNDS>, interceptor = letIn, tls?: TlsIdentity) {
  const services = () => ({
    interceptors: [interceptor],
    browser: {},
    control: {},
    health: new Health(2).service,
  });
  return GrpcServer.open(services, [{ kind: "tcp", host: "127.0.0.1", port: 0 }], tls, {
    ...CONNECTION_BOUNDS,
    ...bounds,
  });
}

async function isServed(session: ClientHttp2Session): Promise<boolean> {
  const stream = begin(session, "/grpc.health.v1.Health/Check");
  stream.end(Buffer.from([0, 0, 0, 0, 0]));
  const gone = once(stream, "close").then(() => ({ "grpc-status": -1 }));
  const end = await Promise.race([endOf(stream), gone]);
  return Number(end["grpc-status"]) === status.OK;
}

test("if many connections are open, the longest idle one closes for a new one", async () => {
  await using door = await ownDoor({ connectionsMax: 5 });
  using atWork = opened(door.addresses[0] ?? "");
  begin(atWork, NAVIGATE);
  assert.ok(await isServed(atWork), "its call has begun");
  using resting = new DisposableStack();
  const come = async () => {
    const session = resting.use(opened(door.addresses[0] ?? ""));
    assert.ok(await isServed(session));
    return session;
  };
  const [first, second] = [await come(), await come()];
  await come();
  const areGone = Promise.all([first, second].map((session) => once(session, "close")));
  for (let each = 0; each < 20; each++) await come();
  await areGone;
  assert.ok(await isServed(atWork), "a connection with a call in it is left alone");
});

for (const [what, hold] of [
  ["a refused call", (session) => endOf(begin(session, NAVIGATE))],
  ["a probe that says nothing", async (session) => begin(session, "/grpc.health.v1.Health/Check")],
  ["a watch on health", (session) => once(begin(session, WATCH).end(EMPTY), "response")],
] as [string, (session: ClientHttp2Session) => Promise<unknown>][]) {
  test(`${what}, never ended by its client, occupies no connection`, async () => {
    await using door = await ownDoor(
      { connectionsMax: 5 },
      authInterceptor(
        identifies(() => {
          throw fail("UNAUTHENTICATED", { reason: "nobody" });
        }),
        refusedUnheard,
      ),
    );
    using held = new DisposableStack();
    for (let each = 0; each < 12; each++) {
      const session = held.use(opened(door.addresses[0] ?? ""));
      await once(session, "remoteSettings", { signal: AbortSignal.timeout(EVENT_MS_MAX) });
      await hold(session);
    }
  });
}

test("a connection without a call, or with headers that never end, is closed in time", async () => {
  await using door = await ownDoor({ firstCallMs: 100 });
  const [host = "", port = ""] = (door.addresses[0] ?? "").split(":");
  const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  const SETTINGS = [0, 0, 0, 4, 0, 0, 0, 0, 0];
  // The first of ten header bytes arrives.
  const HEADERS = [0, 0, 10, 1, 4, 0, 0, 0, 1, 0x83];
  for (const [what, bytes] of [
    ["nothing", Buffer.alloc(0)],
    ["half a greeting", Buffer.from(PREFACE.slice(0, 9))],
    ["half of its headers", Buffer.concat([Buffer.from(PREFACE), Buffer.from([...SETTINGS, ...HEADERS])])],
  ] as const) {
    const socket = connectTcp(Number(port), host).resume();
    socket.on("error", () => undefined);
    socket.write(bytes);
    await once(socket, "close", { signal: AbortSignal.timeout(EVENT_MS_MAX) }).catch(() => assert.fail(what));
  }
});

test("a connection that is idle for too long after its call is closed", async () => {
  await using door = await ownDoor({ restMs: 100 });
  using session = opened(door.addresses[0] ?? "");
  const goodbye = once(session, "goaway");
  assert.ok(await isServed(session));
  const [code] = await goodbye;
  assert.equal(code, constants.NGHTTP2_NO_ERROR);
  await once(session, "close");
});

test("a connection without a TLS handshake in time is closed", async () => {
  using certificates = certificateFolder();
  const read = (name: string) => readFileSync(certificates.file(name));
  const tls = new TlsIdentity({ cert: read("server.crt"), key: read("server.key") });
  await using door = await ownDoor({ handshakeMs: 100 }, letIn, tls);
  const [host = "", port = ""] = (door.addresses[0] ?? "").split(":");
  const socket = connectTcp(Number(port), host).resume();
  await once(socket, "close");
});

for (const path of [NAVIGATE, "/grpc.health.v1.Health/Check"]) {
  test(`${path}: a request that does not come whole in time is refused`, async () => {
    await using door = await ownDoor(
      {},
      authInterceptor(
        identifies(() => OWNER),
        refusedUnheard,
        100,
      ),
    );
    using session = opened(door.addresses[0] ?? "");
    const stream = begin(session, path);
    stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
    assert.equal((await endOf(stream))["grpc-message"], "refused%20unheard");
  });
}

/** The request of a probe, with the field `service`. */
function probeFor(service: string): Buffer {
  const name = Buffer.from(service);
  assert.ok(name.length < 128);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, name.length + 2, 0x0a, name.length]), name]);
}

test("a watch of an unknown service learns that, and waits as long as its client does", async () => {
  await using door = await ownDoor({});
  using session = opened(door.addresses[0] ?? "");
  const stream = begin(session, WATCH);
  const told = once(stream, "data");
  stream.end(probeFor("role/none"));
  assert.deepEqual([...(await told)[0]], [0, 0, 0, 0, 2, 8, SERVICE_UNKNOWN]);
  assert.ok(await isServed(session), "another call has come and gone");
  assert.equal(stream.closed, false);
});

test("a watch of a known service stays, and ends if too many new ones come", async () => {
  await using door = await ownDoor({});
  using session = opened(door.addresses[0] ?? "");
  const watches: ClientHttp2Stream[] = [];
  for (let each = 0; each < 3; each++) {
    const stream = begin(session, WATCH);
    watches.push(stream);
    await once(stream.end(EMPTY), "data");
  }
  const [first, ...others] = watches;
  if (first && !first.closed) await once(first, "close", { signal: AbortSignal.timeout(EVENT_MS_MAX) });
  assert.deepEqual(
    others.map(({ closed }) => closed),
    [false, false],
  );
});

test("a probe's service name has a bounded length", async () => {
  await using door = await ownDoor({});
  using session = opened(door.addresses[0] ?? "");
  const long = begin(session, "/grpc.health.v1.Health/Check");
  const { promise: brokenOff, resolve } = Promise.withResolvers<void>();
  long.once("close", resolve);
  long.write(Buffer.concat([Buffer.from([0, 0, 0x10, 0, 0]), Buffer.alloc(2000)]));
  await brokenOff;
  assert.equal(long.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  const unknown = begin(session, "/grpc.health.v1.Health/Check");
  unknown.end(probeFor("role/none"));
  const end = await endOf(unknown);
  assert.equal(Number(end["grpc-status"]), status.NOT_FOUND);
  assert.doesNotMatch(String(end["grpc-message"]), /none/, "it is not repeated");
});

/** The identity of callers that need no check before. */
function identifies(identify: () => Client) {
  return { arrive: () => undefined, identify };
}

test("a call that was sent before its client knew of the end is served, and its connection is closed", async () => {
  await using leaving = await ownDoor({});
  using idle = opened(leaving.addresses[0] ?? "");
  using session = opened(leaving.addresses[0] ?? "");
  for (const each of [idle, session]) await once(each, "connect");
  assert.equal(await isServed(session), true);
  const pinged = once(idle, "ping");
  const goodbye = once(session, "goaway");
  const gone = leaving.sendElsewhere();
  // The client has read nothing since.
  assert.equal(await isServed(session), true);
  await goodbye;
  await pinged;
  await gone;
});
