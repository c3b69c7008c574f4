// How many connections a gRPC door has, and for how long without a call: grpc-js itself bounds neither.
import {
  constants,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { boundHandshakes } from "./handshakes.ts";
import { isProbe } from "./health.ts";

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

/** Of the free share, what may be taken by connections that have been said goodbye to. */
const LEAVING_SHARE = 0.5;
/** How long one may take to leave. */
const GOODBYE_MS = 2000;
/** How long the client of a call that has been answered may take to end its side. */
const ANSWERED_MS = 5000;
/** Nobody is asked for his name by health: his request is no longer than the question. */
const PROBE_BYTES_MAX = 1024;

/** Where many are open, those at rest make way for those that come, the longest at rest first. */
export function boundConnections(server: Http2Server | Http2SecureServer, bounds: ConnectionBounds): void {
  const connections = new Connections(bounds);
  server.maxConnections = bounds.connectionsMax;
  server.on("session", (session) => connections.come(session));
  server.on("stream", (stream, { ":path": path }) => {
    if (isProbe(path)) connections.probe(stream);
    else connections.call(stream);
  });
  // Until TLS is agreed on there is no session. Plain servers have none to wait for.
  if ("setSecureContext" in server) boundHandshakes(server, bounds.handshakeMs);
}

/** What is under way in a connection. */
interface UnderWay {
  /** Calls that have not been answered. Probes are none: who only asks how we are keeps nobody out. */
  calls: number;
  streams: Set<ServerHttp2Stream>;
}

class Connections {
  readonly #bounds: ConnectionBounds;
  readonly #usedMax: number;
  readonly #crowded: number;
  readonly #open = new Map<ServerHttp2Session, UnderWay>();
  /** The longest at rest first. */
  readonly #resting = new Map<ServerHttp2Session, NodeJS.Timeout>();

  constructor(bounds: ConnectionBounds) {
    const free = bounds.connectionsMax * FREE_SHARE;
    this.#bounds = bounds;
    this.#usedMax = Math.floor(bounds.connectionsMax - free);
    this.#crowded = Math.floor(bounds.connectionsMax - free * LEAVING_SHARE);
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

  /** Its connection is at work until it has been answered, whether or not its client ever ends its own side. */
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
    // It does not begin to flow by this: grpc-js has paused it.
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > PROBE_BYTES_MAX) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /** A stream ends soon after its answer, also where its client holds its own side open. */
  #begin(stream: ServerHttp2Stream): [ServerHttp2Session?, UnderWay?] {
    const { session } = stream;
    const underWay = session && this.#open.get(session as ServerHttp2Session);
    if (!underWay) return [];
    underWay.streams.add(stream);
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

  /** With a goodbye, by which a client knows that none of its calls was lost, where there is room to wait for it. */
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
