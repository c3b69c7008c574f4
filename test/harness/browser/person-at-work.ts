// A person at work without a browser: opens a link as the page does, and speaks its messages.
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import { afterEvents } from "../events/after-events.ts";

/** A call that is under way has five seconds first. */
const READY_MS_MAX = 30_000;
const KEY_CODES: Record<string, number> = { Backspace: 8, Tab: 9, Enter: 13 };

export interface PersonState {
  isReady: boolean;
  tabs: { id: string; title: string; url: string; current: boolean }[];
  dialog: { type: string; text: string } | null;
}

/** The answer to the opening of a link. */
export interface OpenedLink {
  status: number;
  body: { state?: string; id?: string; sinceMs?: number };
  cookie: string;
}

/** Opens a link as the page's script does. */
export async function openLink(url: string, headers: Record<string, string> = {}): Promise<OpenedLink> {
  const { origin, hash } = new URL(url);
  const response = await fetch(`${origin}/takeover/open`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, ...headers },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return { status: response.status, body: (await response.json()) as OpenedLink["body"], cookie };
}

/** A person's connection. */
export class Person implements AsyncDisposable {
  readonly cookie: string;
  readonly id: string;
  readonly origin: string;
  state: PersonState | undefined;
  /** The number and the bytes of the newest picture. */
  frame: { number: number; bytes: Buffer } | undefined;
  frames = 0;
  over: string | undefined;
  #socket: WebSocket;
  readonly #events = new EventEmitter();

  /** Opens the link and connects. Resolves when the person has the session. */
  static async takeOver(url: string): Promise<Person> {
    const { status, body, cookie } = await openLink(url);
    assert.equal(status, 200, `the link was answered with ${JSON.stringify(body)}`);
    const person = new Person(new URL(url).origin, body.id ?? "", cookie);
    try {
      await person.sees(({ isReady }) => isReady, "the session is the person's", READY_MS_MAX);
      return person;
    } catch (error) {
      person.vanish();
      throw error;
    }
  }

  constructor(origin: string, id: string, cookie: string) {
    this.origin = origin;
    this.id = id;
    this.cookie = cookie;
    this.#socket = this.#connected();
  }

  /** Connects again, as the page does after it lost its network. */
  reconnect(): void {
    this.#socket = this.#connected();
  }

  send(message: object): void {
    const socket = this.#socket;
    const text = JSON.stringify(message);
    if (socket.readyState === WebSocket.CONNECTING) socket.once("open", () => socket.send(text));
    else socket.send(text);
  }

  /** Sends messages that arrive together, in one read of the daemon. */
  sendTogether(...messages: object[]): void {
    const { _socket: connection } = this.#socket as unknown as { _socket: Socket };
    connection.cork();
    for (const message of messages) this.send(message);
    connection.uncork();
  }

  click(x: number, y: number): void {
    for (const type of ["move", "down", "up"])
      this.send({
        pointer: {
          type,
          x,
          y,
          button: type === "move" ? "none" : "left",
          buttons: 0,
          clicks: 1,
          modifiers: 0,
        },
      });
  }

  /** Presses keys one after the other: characters, or names such as Enter. */
  press(...keys: string[]): void {
    for (const key of keys)
      for (const isUp of [false, true])
        this.send({
          key: {
            isUp,
            key,
            code: "",
            keyCode: KEY_CODES[key] ?? 0,
            location: 0,
            modifiers: 0,
            repeats: false,
          },
        });
  }

  type(text: string): void {
    this.press(...text);
  }

  /** Resolves when the state is like this. */
  async sees(holds: (state: PersonState) => boolean, what: string, withinMs?: number): Promise<void> {
    const seen = () => this.state !== undefined && holds(this.state);
    await afterEvents(this.#events, "heard", seen, what, withinMs);
  }

  /** Resolves when so many more pictures have come. A page that does not change sends none. */
  async seesFrames(more: number): Promise<void> {
    const wanted = this.frames + more;
    await afterEvents(this.#events, "heard", () => this.frames >= wanted, `${more} pictures have come`);
  }

  /** Resolves when the newest picture of this connection is there, and of such a size in pixels. */
  async seesPicture(holds: (size: { width: number; height: number }) => boolean = () => true): Promise<void> {
    const seen = () => this.frame !== undefined && holds(sizeOf(this.frame.bytes));
    await afterEvents(this.#events, "heard", seen, "such a picture");
  }

  /** Resolves with the reason of the end. */
  async ends(): Promise<string> {
    await afterEvents(this.#events, "heard", () => this.over !== undefined, "the take-over is over");
    return this.over ?? "";
  }

  async handBack(): Promise<void> {
    this.send({ handBack: true });
    assert.equal(await this.ends(), "handed-back");
  }

  /** Breaks the connection off without a word. */
  vanish(): void {
    this.#socket.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.vanish();
  }

  #connected(): WebSocket {
    const { origin, id, cookie } = this;
    const url = `${origin.replace(/^http/, "ws")}/takeover/live?turn=${id}`;
    this.frame = undefined;
    const socket = new WebSocket(url, { headers: { origin, cookie } });
    socket.on("open", () => socket.send(JSON.stringify({ view: { width: 1_280, height: 800 } })));
    socket.on("message", (bytes: Buffer, isBinary: boolean) => {
      // An earlier connection hears that this one has taken its place.
      if (socket !== this.#socket) return;
      if (isBinary) this.#drawn(bytes);
      else {
        const { state, over } = JSON.parse(bytes.toString()) as { state?: PersonState; over?: string };
        if (state) this.state = state;
        if (over !== undefined) this.over = over;
      }
      this.#events.emit("heard");
    });
    socket.on("error", (error) => this.#events.emit("refused", error));
    return socket;
  }

  #drawn(bytes: Buffer): void {
    const number = bytes.readUInt32BE(0);
    this.frame = { number, bytes: bytes.subarray(12) };
    this.frames++;
    this.send({ shown: { number } });
  }
}

/** Reads the size of a JPEG from its first frame header (ITU T.81, B.2.2). */
function sizeOf(jpeg: Buffer): { width: number; height: number } {
  for (let at = 2; at < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg.readUInt8(at + 1);
    if (marker === 0xc0 || marker === 0xc2)
      return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) };
  }
  throw new Error("the picture has no size");
}
