// How many connections an HTTP door has. Those at rest make way; whoever comes when none does is told so, within a bound.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** Beyond the bound so many are still answered that there is no room; further ones are dropped. */
const ANSWERED_SHARE = 0.1;

/** The connections of one address. */
export interface Connections {
  /** Whether a request came by a connection that there was no room for. */
  isTooMany(request: IncomingMessage): boolean;
}

/** Bounds the connections of a server, which speaks TLS where `isSecure`. */
export function boundConnections(server: Server, connectionsMax: number, isSecure: boolean): Connections {
  const open = new Set<Socket>();
  const tooMany = new Set<Socket>();
  /** Those that have been answered, the longest at rest first. */
  const resting = new Set<Socket>();
  server.maxConnections = connectionsMax + Math.ceil(connectionsMax * ANSWERED_SHARE);
  // Only once TLS is agreed on can a connection be told by its requests.
  server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    const [longest] = resting;
    if (open.size >= connectionsMax) {
      if (longest) resting.delete(longest.destroy());
      else tooMany.add(socket);
    }
    open.add(socket);
    socket.once("close", () => {
      for (const each of [open, tooMany, resting]) each.delete(socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    resting.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) resting.add(socket);
    });
  });
  return { isTooMany: ({ socket }) => tooMany.has(socket) };
}
