// A WebSocket server for pages of tests. It sends and receives short texts (RFC 6455), nothing else.
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const HANDSHAKE_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT_FRAME = 0x81;
const SHORT_MAX = 125;

/** One page's connection. */
export interface Socket {
  send(text: string): void;
  onText(listener: (text: string) => void): void;
}

/** Completes the handshake of an upgrade request. */
export function acceptSocket(request: IncomingMessage, stream: Duplex): Socket {
  const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${HANDSHAKE_KEY}`);
  stream.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "Upgrade: websocket",
      "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${key.digest("base64")}`,
      "\r\n",
    ].join("\r\n"),
  );
  // A page ends its connections without a closing frame.
  stream.on("error", () => stream.destroy());
  return {
    send(text) {
      const bytes = Buffer.from(text);
      stream.write(Buffer.concat([Buffer.from([TEXT_FRAME, bytes.length]), bytes]));
    },
    onText(listener) {
      let received = Buffer.alloc(0);
      stream.on("data", (bytes: Buffer) => {
        received = Buffer.concat([received, bytes]);
        for (let text = takeText(); text !== undefined; text = takeText()) listener(text);
      });
      const takeText = () => {
        const length = (received[1] ?? 0) & 0x7f;
        const end = 6 + length;
        if (received.length < 6 || received.length < end || length > SHORT_MAX) return undefined;
        const mask = received.subarray(2, 6);
        const text = received.subarray(6, end).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
        received = received.subarray(end);
        return text.toString();
      };
    },
  };
}
