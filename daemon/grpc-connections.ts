// How many connections a gRPC door has, and for how long without a call: grpc-js itself bounds neither.
import type { Http2SecureServer, Http2Server, ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";

/** What connections are bounded by. */
export interface ConnectionBounds {
  /** At once, at one address. */
  connectionsMax: number;
  /** How long TLS may take to be agreed on. */
  handshakeMs: number;
  /** How long a connection may take to its first call. */
  firstCallMs: number;
  /** How long it may rest between calls. A client connects again with its next one. */
  restMs: number;
}

export const CONNECTION_BOUNDS: ConnectionBounds = {
  connectionsMax: 2000,
  handshakeMs: 10_000,
  firstCallMs: 30_000,
  restMs: 3_600_000,
};

/** The share of connections that is kept free for those that come. */
const FREE_SHARE = 0.1;

/** Where many are open, those at rest make way for those that come, the longest at rest first. */
export function boundConnections(server: Http2Server | Http2SecureServer, bounds: ConnectionBounds): void {
  const { connectionsMax, firstCallMs, restMs } = bounds;
  const usedMax = Math.floor(connectionsMax * (1 - FREE_SHARE));
  /** The calls of each connection. */
  const calls = new Map<ServerHttp2Session, number>();
  const resting = new Map<ServerHttp2Session, NodeJS.Timeout>();
  const rest = (session: ServerHttp2Session, forMs: number) =>
    resting.set(session, setTimeout(() => session.destroy(), forMs).unref());
  const wake = (session: ServerHttp2Session) => {
    clearTimeout(resting.get(session));
    resting.delete(session);
  };
  server.maxConnections = connectionsMax;
  server.on("session", (session) => {
    const [longest] = resting.keys();
    if (calls.size >= usedMax) longest?.destroy();
    calls.set(session, 0);
    rest(session, firstCallMs);
    session.once("close", () => {
      wake(session);
      calls.delete(session);
    });
  });
  server.on("stream", (stream) => {
    const session = stream.session as ServerHttp2Session;
    wake(session);
    calls.set(session, (calls.get(session) ?? 0) + 1);
    stream.once("close", () => {
      const left = (calls.get(session) ?? 0) - 1;
      if (!calls.has(session)) return;
      calls.set(session, left);
      if (left === 0) rest(session, restMs);
    });
  });
  boundHandshakes(server, bounds);
}

/** Until TLS is agreed on there is no session. Plain servers have none to wait for. */
function boundHandshakes(server: Http2Server | Http2SecureServer, { handshakeMs }: ConnectionBounds): void {
  if (!("setSecureContext" in server)) return;
  const begun = new Map<string, NodeJS.Timeout>();
  const over = (peer: string) => {
    clearTimeout(begun.get(peer));
    begun.delete(peer);
  };
  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    begun.set(peer, setTimeout(() => socket.destroy(), handshakeMs).unref());
    socket.once("close", () => over(peer));
  });
  server.on("secureConnection", (socket) => over(peerOf(socket)));
}

/** Of a socket under TLS and the one over it, the same. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
