// The WebSockets of persons at work: pictures go out, input comes in.
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { PersonFrame, WorkerTakeOverResponse } from "../../../proto/gen/troupe.ts";
import type { Turns } from "../../cluster/turns.ts";
import { personMessage } from "../../takeover/person-message.ts";
import type { PersonsTurn } from "../../takeover/take-over.ts";
import type { Connections } from "../connections.ts";
import { isLive, LIVE_PATH } from "../live-path.ts";
import { secretIn } from "./turn-cookie.ts";

export interface LiveParts {
  turns: Turns;
  /** Returns true if a request of a browser comes from this server's own pages. */
  isOwn: (request: IncomingMessage) => boolean;
}

const MESSAGE_BYTES_MAX = 64 * 1024;
/** A network that answers no ping within this time is gone. */
const PING_MS = 10_000;
/** A page that takes nothing is disconnected before so much waits for it. */
const WAITING_BYTES_MAX = 16 * 2 ** 20;
/** Close codes for the page: the turn is over, another page took it, or the message was none. */
const CLOSE = { over: 4000, elsewhere: 4001, refused: 4002 } as const;
const HEAD_BYTES = 12;

/** The connections of all addresses. Its disposal ends them. */
export class LivePages implements Disposable {
  readonly #parts: LiveParts;
  readonly #servers = new Map<Server, (request: IncomingMessage, socket: Duplex, head: Buffer) => void>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });

  constructor(parts: LiveParts) {
    this.#parts = parts;
  }

  /**
   * Takes connections from now on. Node 22 then refuses every other request that offers an upgrade, so it is called no
   * sooner than a person comes.
   */
  begin(): void {
    for (const [server, upgrade] of this.#servers)
      if (!server.listeners("upgrade").includes(upgrade)) server.on("upgrade", upgrade);
  }

  serve(server: Server, stays: Connections["stays"]): void {
    this.#servers.set(server, (request, socket, head) => {
      const cut = () => socket.destroy();
      socket.on("error", cut);
      this.#turnOf(request).then((turn) => {
        socket.off("error", cut);
        if (!turn) return refuse(socket);
        stays(request);
        this.#sockets.handleUpgrade(request, socket, head, (page) => attend(page, turn));
      }, cut);
    });
  }

  [Symbol.dispose](): void {
    for (const page of this.#sockets.clients) page.terminate();
    this.#sockets.close();
  }

  async #turnOf(request: IncomingMessage): Promise<PersonsTurn | undefined> {
    if (!isLive(request) || !this.#parts.isOwn(request)) return undefined;
    const { url = "", headers } = request;
    const id = new URLSearchParams(url.slice(LIVE_PATH.length)).get("turn") ?? "";
    const secret = secretIn(headers.cookie, id);
    return secret === undefined ? undefined : await this.#parts.turns.withSecret(id, secret);
  }
}

function refuse(socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
}

function attend(page: WebSocket, turn: PersonsTurn): void {
  const disconnect = turn.connect({
    show: (output) => show(page, output),
    broke: () => page.terminate(),
    over: (why) => {
      page.send(JSON.stringify({ over: why }));
      page.close(why === "elsewhere" ? CLOSE.elsewhere : CLOSE.over);
    },
  });
  page.on("message", (bytes: Buffer, isBinary) => {
    const message = isBinary ? undefined : personMessage(bytes.toString());
    if (message === undefined) page.close(CLOSE.refused);
    else if (message === "hand-back") turn.end("handed-back");
    else turn.take(message);
  });
  const over = watchPulse(page);
  page.once("close", () => {
    over();
    disconnect();
  });
  // A broken connection closes right after its error.
  page.on("error", () => page.terminate());
}

/** Ends a connection whose network is gone. */
function watchPulse(page: WebSocket): () => void {
  let isAlive = true;
  page.on("pong", () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return page.terminate();
    isAlive = false;
    page.ping();
  }, PING_MS).unref();
  return () => clearInterval(timer);
}

/** A picture goes as bytes: its number, the tab's width and height, then the JPEG. */
function show(page: WebSocket, { state, frame }: WorkerTakeOverResponse): void {
  if (page.readyState !== page.OPEN) return;
  if (page.bufferedAmount > WAITING_BYTES_MAX) page.terminate();
  if (state) page.send(JSON.stringify({ state }));
  if (frame) page.send(bytesOf(frame));
}

function bytesOf({ number, width, height, image }: PersonFrame): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(number, 0);
  head.writeFloatBE(width, 4);
  head.writeFloatBE(height, 8);
  return Buffer.concat([head, image]);
}
