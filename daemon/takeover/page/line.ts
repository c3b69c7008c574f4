// The connection to the daemon. A lost one is opened again, until the daemon says that the turn is over.

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

const OVER: Readonly<Record<string, string>> = {
  "handed-back": "You have handed the session back. This page can be closed.",
  lost: "The connection was gone for too long, and the session went back to its agent.",
  timeout: "The time is up, and the session went back to its agent.",
  rights: "The right to this link was taken back, and the session went back to its agent.",
  session: "The session has ended.",
  worker: "The agent's browser has ended or was started again. Ask for a new link to go on.",
  restart: "The agent's browser is started again. Ask for a new link to go on.",
  role: "The role of this session was removed, and its browser ends.",
  daemon: "Troupe has ended.",
  elsewhere: "The session is shown in another window of yours.",
};
const HEAD_BYTES = 12;
const AGAIN_MS = { first: 500, most: 5_000 };
const REFUSED_MAX = 20;

export class Line {
  readonly #url: string;
  readonly #events: LineEvents;
  #socket: WebSocket | undefined;
  #failures = 0;
  #isOver = false;

  constructor(turn: string, events: LineEvents) {
    const { protocol, host } = location;
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
    socket.onclose = () => this.#closed(socket);
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
    if (over === undefined) return;
    this.#isOver = true;
    this.#events.over(OVER[over] ?? "The session went back to its agent.");
  }

  #closed(socket: WebSocket): void {
    if (this.#socket === socket) this.#socket = undefined;
    if (this.#isOver) return;
    this.#failures++;
    if (this.#failures > REFUSED_MAX) {
      this.#events.over("The session is no longer in your hands. Ask for a new link to go on.");
      return;
    }
    this.#events.waits("The connection is lost. Trying again…");
    setTimeout(() => this.open(), Math.min(AGAIN_MS.most, AGAIN_MS.first * this.#failures));
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
