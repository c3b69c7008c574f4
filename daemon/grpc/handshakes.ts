// Connections that have not agreed on TLS yet: they have said nothing that counts, so they are given little time, and make
// way for those that come once every place is taken.
import type { Server, Socket } from "node:net";

/** Bounds those of a server that speaks TLS and has `maxConnections`. `handshakeMs`: how long TLS may take to be agreed on. */
export function boundHandshakes(server: Server, handshakeMs: number): void {
  /** By peer, the longest under way first. */
  const underWay = new Map<string, { socket: Socket; deadline: NodeJS.Timeout }>();
  const over = (peer: string) => {
    clearTimeout(underWay.get(peer)?.deadline);
    underWay.delete(peer);
  };
  /** The one that took the last place stays: another goes, as Node would drop whoever comes next. */
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
    // The server's own count: what is neither under way nor known by a session or a request takes a place too.
    server.getConnections((_error, count) => {
      if (count >= server.maxConnections) makeWay();
    });
  });
  server.on("secureConnection", (socket: Socket) => over(peerOf(socket)));
}

/** Of a socket under TLS and the one over it, the same. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
