// Connections that have not agreed on TLS yet: they have said nothing that counts, so they are given little time, and make
// way for those that come.
import type { Server, Socket } from "node:net";

/** What they are bounded by. */
export interface HandshakeBounds {
  /** How long TLS may take to be agreed on. */
  handshakeMs: number;
  /** Whether somebody has to make way for one that comes, with so many under way. */
  isCrowded(underWay: number): boolean;
}

/** Bounds those of a server that speaks TLS. */
export function boundHandshakes(server: Server, { handshakeMs, isCrowded }: HandshakeBounds): void {
  /** By peer, the longest under way first. */
  const underWay = new Map<string, { socket: Socket; deadline: NodeJS.Timeout }>();
  const over = (peer: string) => {
    clearTimeout(underWay.get(peer)?.deadline);
    underWay.delete(peer);
  };
  server.on("connection", (socket: Socket) => {
    const [longest] = underWay;
    if (longest && isCrowded(underWay.size)) {
      over(longest[0]);
      longest[1].socket.destroy();
    }
    const peer = peerOf(socket);
    const deadline = setTimeout(() => socket.destroy(), handshakeMs).unref();
    underWay.set(peer, { socket, deadline });
    socket.once("close", () => over(peer));
  });
  server.on("secureConnection", (socket: Socket) => over(peerOf(socket)));
}

/** Of a socket under TLS and the one over it, the same. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
