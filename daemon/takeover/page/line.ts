// The connection to the daemon. A lost one is opened again, until the daemon says that the turn is over.
import { turnStanding, wordsOf } from "./open-link.ts";

export interface State {
  isReady: boolean;
  tabs: { id: string; title: string; url: string; current: boolean }[];
  dialog: { type: string; text: string } | null;
}

export interface Frame {
  number: number;
  width: number;
  height: number;
  image: Blob;
}

export interface LineEvents {
  begun(): void;
  state(state: State): void;
  frame(frame: Frame): void;
  /** The connection is lost, in words. */
  waits(words: string): void;
  /** The turn is over, in words. */
  over(words: string): void;
}

const HEAD_BYTES = 12;
const AGAIN_MS = { first: 500, most: 5_000 };
const FAILURES_MAX = 20;

export class Line {
  readonly #turn: string;
  readonly #url: string;
  readonly #events: LineEvents;
  #socket: WebSocket | undefined;
  #failures = 0;
  #isOver = false;

  constructor(turn: string, events: LineEvents) {
    const { protocol, host } = location;
    this.#turn = turn;
    this.#url = `${protocol === "https:" ? "wss" : "ws"}://${host}/takeover/live?turn=${turn}`;
    this.#events = events;
  }

  open(): void {
    const socket = new WebSocket(this.#url);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#socket = socket;
      this.#failures = 0;
      this.#events.begun();
    };
    socket.onmessage = ({ data }) => this.#heard(data as string | ArrayBuffer);
    socket.onclose = () => void this.#closed(socket);
  }

  /** Input is lost while the connection is lost. */
  send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #heard(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      this.#events.frame(frameIn(data));
      return;
    }
    const { state, over } = JSON.parse(data) as { state?: State; over?: string };
    if (state) this.#events.state(state);
    if (over !== undefined) this.#ends(wordsOf(over));
  }

  async #closed(socket: WebSocket): Promise<void> {
    if (this.#socket === socket) this.#socket = undefined;
    if (this.#isOver) return;
    this.#events.waits("The connection is lost. Trying again…");
    const standing = await turnStanding(this.#turn);
    if (this.#isOver) return;
    if ("refused" in standing) {
      this.#ends(standing.refused);
      return;
    }
    if (++this.#failures > FAILURES_MAX) {
      this.#ends("No live connection to Troupe comes about. Load this page again once it can be reached.");
      return;
    }
    setTimeout(() => this.open(), Math.min(AGAIN_MS.most, AGAIN_MS.first * this.#failures));
  }

  #ends(words: string): void {
    this.#isOver = true;
    this.#events.over(words);
  }
}

function frameIn(bytes: ArrayBuffer): Frame {
  const head = new DataView(bytes, 0, HEAD_BYTES);
  return {
    number: head.getUint32(0),
    width: head.getFloat32(4),
    height: head.getFloat32(8),
    image: new Blob([new Uint8Array(bytes, HEAD_BYTES)], { type: "image/jpeg" }),
  };
}
