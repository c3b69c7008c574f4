import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { Server as GrpcServer, ServerCredentials, ServerInterceptingCall, status } from "@grpc/grpc-js";
import { parseAddress } from "../../../client/connection/address.ts";
import { Connection } from "../../../client/connection/connection.ts";
import { DaemonLink } from "../../../client/connection/daemon-link.ts";
import { stateFiles } from "../../../proto/machine/locations.ts";
import { assembled } from "../../../proto/wire/reply.ts";
import { serviceDefinition } from "../../../proto/wire/service.ts";
import { StandIn } from "../../harness/stand-in/daemon.ts";
import { tempDir } from "../../harness/temp-dir.ts";

const DEADLINE = { timeout: 60_000 };
const at = (address: string) => parseAddress(address, "/", stateFiles({ cwd: "/", env: {} }));

/** A TCP server that is not a daemon. */
class Stranger implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(meet: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      meet(socket);
    }).listen(0, "127.0.0.1");
  }

  async address(): Promise<string> {
    if (!this.#server.listening) await once(this.#server, "listening");
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

test("a daemon on a port is called directly, whichever proxy the environment names", DEADLINE, async () => {
  process.env.http_proxy = "http://127.0.0.1:9";
  try {
    await using daemon = await StandIn.start({ GetStatus: () => ({ version: "1.2.3" }) }, "127.0.0.1:0");
    const connection = await Connection.open(at(daemon.address));
    assert.equal((await connection.call("Control", "GetStatus", {})).version, "1.2.3");
    connection.close();
    assert.equal(connection.usable, false);
  } finally {
    delete process.env.http_proxy;
  }
});

class WithoutStatus extends ServerInterceptingCall {
  override sendStatus(): void {}
}

test("a call's answer counts before its status", DEADLINE, async () => {
  const server = new GrpcServer({ interceptors: [(_method, call) => new WithoutStatus(call)] });
  server.addService(serviceDefinition("Control"), {
    GetStatus: (_call: unknown, reply: (error: null, status: object) => void) =>
      reply(null, { version: "1.2.3" }),
  });
  await using served = await serving(server);
  assert.equal((await served.connection.call("Control", "GetStatus", {})).version, "1.2.3");
});

test(
  "a snapshot counts only with its status, because the daemon may lose the call until then",
  DEADLINE,
  async () => {
    const server = new GrpcServer();
    server.addService(serviceDefinition("Browser"), {
      Snapshot(call: { write(part: object): void; emit(event: "error", status: object): void }) {
        for (const part of [{ header: { textLength: 4 } }, { chunk: "text" }]) call.write(part);
        call.emit("error", { code: status.UNAVAILABLE, details: "the worker died" });
      },
    });
    await using served = await serving(server);
    const chunks: string[] = [];
    const watched = async function* () {
      for await (const part of served.connection.stream("Browser", "Snapshot", {})) {
        chunks.push(part.chunk ?? "");
        yield part;
      }
    };
    await assert.rejects(assembled(watched()), /the worker died/);
    assert.equal(chunks.join(""), "text");
  },
);

/** Serves on a socket of its own, with a connection to it. */
async function serving(server: GrpcServer): Promise<AsyncDisposable & { connection: Connection }> {
  const folder = tempDir();
  const address = `unix:${path.join(folder.dir, "daemon.sock")}`;
  await new Promise((done) => server.bindAsync(address, ServerCredentials.createInsecure(), done));
  const connection = await Connection.open(at(address));
  return {
    connection,
    async [Symbol.asyncDispose]() {
      connection.close();
      server.forceShutdown();
      folder[Symbol.dispose]();
    },
  };
}

test("an address without a listener fails at once", DEADLINE, async () => {
  await assert.rejects(Connection.open(at("unix:/no/such.sock")), { message: "nothing listens there" });
  await assert.rejects(Connection.open(at("127.0.0.1:9")), { message: "nothing listens there" });
});

test("another program at the address is distinguished from a daemon", DEADLINE, async () => {
  await using hangsUp = new Stranger((socket) => socket.destroy());
  await assert.rejects(Connection.open(at(await hangsUp.address())), { message: /does not speak gRPC/ });
  await using says = new Stranger((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await assert.rejects(Connection.open(at(await says.address())), { message: /does not speak gRPC/ });
});

test("a silent server is given up within bounds", DEADLINE, async () => {
  await using silent = new Stranger(() => undefined);
  const opening = Connection.open(at(await silent.address()), { timeoutMs: 200 });
  await assert.rejects(opening, { message: "no answer within 0.2 s" });
  const link = new DaemonLink({ addresses: () => [at("127.0.0.1:1")] });
  await assert.rejects(link.connection(), { type: "DAEMON_UNREACHABLE" });
});

test("simultaneous callers share one connection and one start of a daemon", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  const { address } = daemon;
  await daemon.stop();
  let starts = 0;
  const start = async () => {
    starts++;
    await daemon.start();
  };
  const link = new DaemonLink({ addresses: () => [at(address)], start });
  const [first, second] = await Promise.all([link.connection(), link.connection()]);
  assert.equal(first, second);
  assert.equal(starts, 1);
  link.drop(first);
  assert.notEqual(await link.connection(), first);
  link.close();
});

test("a connection that was taken unchecked is checked before its first call", DEADLINE, async () => {
  await using daemon = await StandIn.start();
  const looked: Connection[] = [];
  let usable = true;
  const link = new DaemonLink({
    addresses: () => [at(daemon.address)],
    isUsable: async (connection) => {
      looked.push(connection);
      return usable;
    },
    start: async () => undefined,
  });
  const beside = await link.connection({ start: false });
  assert.deepEqual(looked, []);
  assert.equal(await link.connection(), beside);
  assert.equal(await link.connection(), beside);
  assert.deepEqual(looked, [beside], "once");
  link.drop(beside);
  usable = false;
  const old = await link.connection({ start: false });
  assert.notEqual(await link.connection(), old, "the daemon has left, and another was started");
  assert.equal(old.usable, false);
  link.close();
});

test("closing a link while it connects ends the connecting", DEADLINE, async () => {
  await using silent = new Stranger(() => undefined);
  const address = at(await silent.address());
  const link = new DaemonLink({ addresses: () => [address] });
  const opening = link.connection();
  link.close();
  await assert.rejects(opening, { type: "DAEMON_UNREACHABLE" });
});
