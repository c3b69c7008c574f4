// Bounds the connections of an HTTP door. Idle ones close for new ones; if none is idle, the new one gets an error.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { boundHandshakes } from "../grpc/handshakes.ts";
import { answerPlainHttp } from "./error-handler.ts";

/** This share of connections beyond the bound still gets an error as answer. Further ones are dropped. */
const ANSWERED_SHARE = 0.1;

export interface Connections {
  /** Returns true if the request's connection found no room. */
  isTooMany(request: IncomingMessage): boolean;
  /** Notes that the request's connection sends no further request, and is not idle. */
  stays(request: IncomingMessage): void;
}

/** Bounds the connections of a server. It speaks TLS if `handshakeMs`, the longest handshake, is given. */
export function boundConnections(
  server: Server,
  connectionsMax: number,
  handshakeMs: number | undefined,
): Connections {
  /** Each socket with its requests under way. A client may send the next request before the last answer. */
  const open = new Map<Socket, number>();
  const tooMany = new Set<Socket>();
  const resting = new Resting();
  server.maxConnections = connectionsMax + Math.ceil(connectionsMax * ANSWERED_SHARE);
  // Requests show only after the handshake whether a connection is idle.
  if (handshakeMs !== undefined) boundHandshakes(server, handshakeMs, answerPlainHttp);
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
  return {
    isTooMany: ({ socket }) => tooMany.has(socket),
    stays: ({ socket }) => resting.delete(socket),
  };
}

/**
 * The idle connections, the longest first: those with an answered request and those without any byte. If there are
 * none, it takes those whose request has begun without a whole head.
 */
class Resting {
  /** Each with the number of bytes that it may have sent while it still counts as idle. */
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
