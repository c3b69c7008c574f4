// Bounds connections in their TLS handshake. They have proved nothing yet, so they get little time, and close for new
// ones if the server is full.
import type { Server, Socket } from "node:net";

/**
 * Bounds the handshakes of a TLS server with `maxConnections`. `handshakeMs` is the longest handshake. `failed` gets
 * the plain socket under a handshake that failed. It closes when `failed` returns.
 */
export function boundHandshakes(
  server: Server,
  handshakeMs: number,
  failed?: (error: NodeJS.ErrnoException, socket: Socket) => void,
): void {
  /** By peer, the longest under way first. */
  const underWay = new Map<string, { socket: Socket; deadline: NodeJS.Timeout }>();
  const over = (peer: string) => {
    clearTimeout(underWay.get(peer)?.deadline);
    underWay.delete(peer);
  };
  /** The newest connection stays and the oldest handshake goes. Otherwise Node would drop the next connection. */
  const makeWay = () => {
    const [longest, next] = underWay;
    if (!longest || !next) return;
    over(longest[0]);
    longest[1].socket.destroy();
  };
  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    const deadline = setTimeout(() => socket.destroy(), handshakeMs).unref();
    underWay.set(peer, { socket, deadline });
    socket.once("close", () => over(peer));
    // The server's own count includes connections with neither a handshake, a session nor a request.
    server.getConnections((_error, count) => {
      if (count >= server.maxConnections) makeWay();
    });
  });
  server.on("secureConnection", (socket: Socket) => over(peerOf(socket)));
  if (!failed) return;
  server.on("tlsClientError", (error: NodeJS.ErrnoException, secured: Socket) => {
    const { socket } = underWay.get(peerOf(secured)) ?? {};
    if (socket) failed(error, socket);
  });
}

/** Returns the same text for a TLS socket and the plain socket under it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
