// How many connections an HTTP door has. Those at rest make way; whoever comes when none does is told so, within a bound.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { boundHandshakes } from "../grpc/handshakes.ts";

/** Beyond the bound so many are still answered that there is no room; further ones are dropped. */
const ANSWERED_SHARE = 0.1;

/** The connections of one address. */
export interface Connections {
  /** Whether a request came by a connection that there was no room for. */
  isTooMany(request: IncomingMessage): boolean;
}

/** Bounds the connections of a server, which speaks TLS where `handshakeMs` says how long that may take to be agreed on. */
export function boundConnections(
  server: Server,
  connectionsMax: number,
  handshakeMs: number | undefined,
): Connections {
  /** Each with its requests that are under way: a client may send the next one before it is answered. */
  const open = new Map<Socket, number>();
  const tooMany = new Set<Socket>();
  const resting = new Resting();
  server.maxConnections = connectionsMax + Math.ceil(connectionsMax * ANSWERED_SHARE);
  // Only once TLS is agreed on can a connection be told by its requests.
  if (handshakeMs !== undefined) boundHandshakes(server, handshakeMs);
  server.on(handshakeMs !== undefined ? "secureConnection" : "connection", (socket: Socket) => {
    if (open.size >= connectionsMax && !resting.takeLongest()?.destroy()) tooMany.add(socket);
    open.set(socket, 0);
    resting.silent(socket);
    socket.once("close", () => {
      for (const each of [open, tooMany, resting]) each.delete(socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    resting.delete(socket);
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (open.get(socket) ?? 0) - 1;
      if (socket.destroyed || left < 0) return;
      open.set(socket, left);
      if (left === 0) resting.answered(socket);
    });
  });
  return { isTooMany: ({ socket }) => tooMany.has(socket) };
}

/**
 * Connections at rest, the longest first: those that have been answered, and those that have said nothing yet; where there
 * are none, those whose request has begun and is not known by its head yet.
 */
class Resting {
  /** Each with the bytes that may have come from it while it still rests. */
  readonly #sockets = new Map<Socket, number>();

  silent(socket: Socket): void {
    this.#sockets.set(socket, socket.bytesRead);
  }

  answered(socket: Socket): void {
    this.#sockets.set(socket, Number.POSITIVE_INFINITY);
  }

  delete(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  takeLongest(): Socket | undefined {
    const all = [...this.#sockets];
    const [longest] = all.find(([socket, bytes]) => socket.bytesRead <= bytes) ?? all[0] ?? [];
    if (longest) this.#sockets.delete(longest);
    return longest;
  }
}
