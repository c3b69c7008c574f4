// Bounds a gRPC door's connections and their time without a call, and ends them without losing a call. The options of
// grpc-js bound only idle time, and its servers refuse calls that were sent before their end was known.
import {
  constants,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { within } from "../../proto/machine/within.ts";
import { boundHandshakes } from "./handshakes.ts";
import { isProbe } from "./health.ts";

export interface ConnectionBounds {
  /** The most connections at once at one address. */
  connectionsMax: number;
  /** The most calls at once in one connection. */
  streamsMax: number;
  handshakeMs: number;
  /** The longest time from a connection's start to its first call. */
  firstCallMs: number;
  /** The longest time between calls. After it the client connects again with its next call. */
  restMs: number;
}

export const CONNECTION_BOUNDS: ConnectionBounds = {
  connectionsMax: 2000,
  // A proxy sends the calls of many clients through one connection.
  streamsMax: 1000,
  handshakeMs: 10_000,
  firstCallMs: 30_000,
  restMs: 3_600_000,
};

/** Another daemon sends the calls of all its clients through one connection, and their watches through another. */
export const PEER_BOUNDS: ConnectionBounds = { ...CONNECTION_BOUNDS, streamsMax: 10_000 };

/** The share of connections that is kept free for new ones. */
const FREE_SHARE = 0.1;

/** The part of the free share that connections may take while they are being closed gracefully. */
const LEAVING_SHARE = 0.5;
/** The time that a graceful close may take. */
const GOODBYE_MS = 2000;
/** The time that a client may take to end its side of an answered call. */
const ANSWERED_MS = 5000;
/** Health probes are anonymous, so their requests may be no longer than the question. */
const PROBE_BYTES_MAX = 1024;

/** The time that a client may take to answer a ping, and to hear so that its next calls belong elsewhere. */
const HEARD_MS = 1000;

/** Closes idle connections if many are open, the longest idle first, so that new ones find room. */
export function boundConnections(
  server: Http2Server | Http2SecureServer,
  bounds: ConnectionBounds,
): Connections {
  const connections = new Connections(bounds);
  server.maxConnections = bounds.connectionsMax;
  server.on("session", (session) => connections.come(session));
  server.on("stream", (stream, { ":path": path }) => {
    if (isProbe(path)) connections.probe(stream);
    else connections.call(stream);
  });
  // A TLS connection has no session until the handshake ends. Plain servers have no handshake.
  if ("setSecureContext" in server) boundHandshakes(server, bounds.handshakeMs);
  return connections;
}

interface UnderWay {
  /** The calls without an answer. Probes do not count, so that they keep no client out. */
  calls: number;
  streams: Set<ServerHttp2Stream>;
}

/** The connections of a listener. */
export class Connections {
  readonly #bounds: ConnectionBounds;
  readonly #usedMax: number;
  readonly #crowded: number;
  readonly #open = new Map<ServerHttp2Session, UnderWay>();
  /** The idle connections, the longest idle first. */
  readonly #resting = new Map<ServerHttp2Session, NodeJS.Timeout>();
  #isLeaving = false;

  constructor(bounds: ConnectionBounds) {
    const free = bounds.connectionsMax * FREE_SHARE;
    this.#bounds = bounds;
    this.#usedMax = Math.floor(bounds.connectionsMax - free);
    this.#crowded = Math.floor(bounds.connectionsMax - free * LEAVING_SHARE);
  }

  /**
   * Sends the clients away. Resolves when each idle one has answered a ping. A proxy that has one call at a time in a
   * connection, like nginx, closes it instead, because it expects no bytes there. A call that came first is served, and
   * its connection is closed. Other clients send again what their connection's end refuses (RFC 9113, section 6.8).
   */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    const [idle, busy] = [[], []] as [ServerHttp2Session[], ServerHttp2Session[]];
    for (const [session, { streams }] of this.#open) (streams.size === 0 ? idle : busy).push(session);
    for (const session of busy) session.close();
    await within({ timeMs: HEARD_MS }, Promise.all(idle.map(pinged)));
  }

  come(session: ServerHttp2Session): void {
    const [longest] = this.#resting.keys();
    if (longest && this.#open.size >= this.#usedMax) this.#sendAway(longest);
    this.#open.set(session, { calls: 0, streams: new Set() });
    this.#rest(session, this.#bounds.firstCallMs);
    session.once("close", () => {
      this.#wake(session);
      this.#open.delete(session);
    });
  }

  /** Marks the call's connection as busy until the answer, even if the client never ends its own side. */
  call(stream: ServerHttp2Stream): void {
    const [session, underWay] = this.#begin(stream);
    if (!session || !underWay) return;
    this.#wake(session);
    underWay.calls++;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      underWay.calls--;
      this.#restAfter(session, underWay);
    };
    stream.once("finish", over);
    stream.once("close", over);
  }

  probe(stream: ServerHttp2Stream): void {
    const [session, underWay] = this.#begin(stream);
    if (!session || !underWay) return;
    this.#restAfter(session, underWay);
    let bytes = 0;
    // This listener does not start the flow, because grpc-js has paused the stream.
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > PROBE_BYTES_MAX) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /** Closes a stream soon after its answer, even if its client holds its own side open. */
  #begin(stream: ServerHttp2Stream): [ServerHttp2Session?, UnderWay?] {
    const { session } = stream;
    const underWay = session && this.#open.get(session as ServerHttp2Session);
    if (!underWay) return [];
    underWay.streams.add(stream);
    // The client hears the number of the last stream. This one counts only afterwards.
    if (this.#isLeaving) setImmediate(() => session.close());
    let deadline: NodeJS.Timeout | undefined;
    stream.once("finish", () => {
      deadline = setTimeout(() => stream.close(), ANSWERED_MS).unref();
    });
    stream.once("close", () => {
      clearTimeout(deadline);
      underWay.streams.delete(stream);
    });
    return [session as ServerHttp2Session, underWay];
  }

  #restAfter(session: ServerHttp2Session, { calls }: UnderWay): void {
    if (calls === 0 && !session.closed && this.#open.has(session)) this.#rest(session, this.#bounds.restMs);
  }

  #rest(session: ServerHttp2Session, forMs: number): void {
    this.#wake(session);
    this.#resting.set(session, setTimeout(() => this.#sendAway(session), forMs).unref());
  }

  #wake(session: ServerHttp2Session): void {
    clearTimeout(this.#resting.get(session));
    this.#resting.delete(session);
  }

  /** Closes the connection gracefully if there is room to wait. A GOAWAY shows the client that no call was lost. */
  #sendAway(session: ServerHttp2Session): void {
    this.#wake(session);
    if (this.#open.size >= this.#crowded) {
      session.destroy();
      return;
    }
    const deadline = setTimeout(() => session.destroy(), GOODBYE_MS).unref();
    session.once("close", () => clearTimeout(deadline));
    session.close();
    for (const stream of this.#open.get(session)?.streams ?? []) stream.close(constants.NGHTTP2_CANCEL);
  }
}

/** Resolves when the client has answered, or is gone. */
async function pinged(session: ServerHttp2Session): Promise<void> {
  if (session.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  session.ping(() => resolve());
  await promise;
}
