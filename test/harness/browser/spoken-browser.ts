// Listens as a browser whose words a test chooses: one that breaks the protocol, or leaves at a certain question.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** A question of the protocol's client. */
export interface Question {
  id: number;
  method: string;
  sessionId?: string;
}

export interface SpokenBrowser extends AsyncDisposable {
  /** The address of its WebSocket. */
  readonly address: string;
  /** The number of WebSockets that it has accepted. */
  readonly connections: number;
  /** Sends a message to all clients. */
  say(message: object): void;
  /** Breaks all connections off. */
  leave(): void;
}

/** The answers of a browser without tabs. Everything else succeeds with an empty result. */
const ANSWERS: Record<string, object> = {
  "Browser.getVersion": { product: "Chrome/150.0.0.0" },
  "Target.attachToBrowserTarget": { sessionId: "browser" },
  "Target.getBrowserContexts": { browserContextIds: [], defaultBrowserContextId: "persons" },
};

/** `asked`: sees each question before it is answered. It may give another answer, with `error` or `result`. */
export async function serveBrowser(
  asked: (question: Question) => object | undefined = () => undefined,
): Promise<SpokenBrowser> {
  const sockets = new Set<Duplex>();
  let connections = 0;
  const say = (message: object) => {
    for (const socket of sockets) socket.write(frame(JSON.stringify(message)));
  };
  const answer = (question: Question) => {
    const { id, method, sessionId } = question;
    const given = asked(question) ?? { result: ANSWERS[method] ?? {} };
    if (method === "Target.attachToBrowserTarget")
      say({
        method: "Target.attachedToTarget",
        params: { sessionId: "browser", targetInfo: { targetId: "browser", type: "browser" } },
      });
    say({ id, ...(sessionId !== undefined && { sessionId }), ...given });
  };
  const server = createServer();
  server.on("upgrade", ({ headers }, socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept(String(headers["sec-websocket-key"]))}\r\n\r\n`,
    );
    let left = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      left = Buffer.concat([left, chunk]);
      for (let read = unframed(left); read; read = unframed(left)) {
        left = left.subarray(read.size);
        if (read.text.startsWith("{")) answer(JSON.parse(read.text));
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const leave = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/devtools/browser/spoken`,
    get connections() {
      return connections;
    },
    say,
    leave,
    [Symbol.asyncDispose]: async () => {
      leave();
      server.close().closeAllConnections();
    },
  };
}

/** The server's half of the handshake (RFC 6455, section 4.2.2). */
export function accept(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/** Makes one text frame (RFC 6455, section 5.2) of up to 64 KiB. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = length < 126 ? [0x81, length] : [0x81, 126, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Reads the first frame of a client, which is masked. Undefined if it has not come as a whole. */
function unframed(bytes: Buffer): { text: string; size: number } | undefined {
  if (bytes.length < 8) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short < 126 ? 2 : 4;
  const length = short < 126 ? short : bytes.readUInt16BE(2);
  const size = start + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const payload = bytes.subarray(start + 4, size).map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return { text: Buffer.from(payload).toString(), size };
}
