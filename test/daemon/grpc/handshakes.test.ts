// TLS doors against clients that connect and never begin the handshake.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { after, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { boundConnections as boundGrpc, CONNECTION_BOUNDS } from "../../../daemon/grpc/connections.ts";
import { boundConnections as boundHttp } from "../../../daemon/http/connections.ts";
import { certificateFolder } from "../../harness/certificates.ts";

const certificates = certificateFolder();
after(() => certificates[Symbol.dispose]());
const identity = { cert: readFileSync(certificates.tls.cert), key: readFileSync(certificates.tls.key) };
const ca = readFileSync(certificates.file("ca.crt"));
const IN_TIME = 30_000;

/** A door with this many places. The last ones are kept free for new connections. */
const doors: [what: string, open: (handshakeMs: number, places: number) => Server][] = [
  [
    "HTTP",
    (handshakeMs, places) => {
      const server = createServer(identity, (_request, response) => response.end("served"));
      boundHttp(server as never, Math.floor(places / 1.1), handshakeMs);
      return server;
    },
  ],
  [
    "gRPC",
    (handshakeMs, places) => {
      const server = createSecureServer({ ...identity, allowHTTP1: false });
      boundGrpc(server, { ...CONNECTION_BOUNDS, connectionsMax: places, handshakeMs });
      return server;
    },
  ],
];

for (const [what, open] of doors) {
  test(`${what}: connections that never begin TLS make way for new ones, the oldest first`, async () => {
    await using door = await opened(open(60_000, 5));
    const agreed = await door.agree();
    const silent = [await door.dial(), await door.dial(), await door.dial()];
    for (let each = 0; each < 12; each++) {
      silent.push(await door.dial());
      await silent[each]?.closed;
      assert.equal(silent[each + 1]?.socket.destroyed, false, "it is not the longest");
    }
    await door.agree();
    assert.equal(agreed.destroyed, false, "what speaks TLS makes no way for what does not");
  });

  test(`${what}: beside idle connections up to the bound, one that has begun TLS stays while a slot is free`, async () => {
    await using door = await opened(open(60_000, 55));
    for (let each = 0; each < 50; each++) await door.agree();
    const begun = await door.dial();
    await door.dial();
    await door.dial();
    await door.agree(begun.socket);
  });

  test(`${what}: a connection that does not agree on TLS in time is closed, and no other`, async () => {
    await using door = await opened(open(100, 5));
    const agreed = await door.agree();
    await (await door.dial()).closed;
    assert.equal(agreed.destroyed, false);
  });
}

/** A listening server with connections. Its disposal closes all. */
async function opened(server: Server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const dialled: Socket[] = [];
  const own = <S extends Socket>(socket: S): S => {
    dialled.push(socket);
    return socket.on("error", () => socket.destroy()).resume();
  };
  return {
    /** Opens a connection that sends nothing. */
    async dial() {
      const socket = own(connect(port, "127.0.0.1"));
      const closed = once(socket, "close", { signal: AbortSignal.timeout(IN_TIME) });
      // Most connections stay open.
      closed.catch(() => undefined);
      await Promise.all([once(socket, "connect"), once(server, "connection")]);
      return { socket, closed };
    },
    /** Completes a TLS handshake, over a given connection or a new one. */
    async agree(dialled?: Socket) {
      const ALPNProtocols = ["h2", "http/1.1"];
      const over = dialled ? { socket: dialled } : { port };
      const socket = own(connectTls({ ...over, host: "127.0.0.1", ca, ALPNProtocols }));
      await once(socket, "secureConnect", { signal: AbortSignal.timeout(IN_TIME) });
      return socket;
    },
    async [Symbol.asyncDispose]() {
      // A TLS socket closes before the socket under it.
      for (const socket of dialled.reverse()) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
