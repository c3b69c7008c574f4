// Passes a person's finger on to a tab, as a touch. It taps and swipes there as on a screen.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { PersonTouch } from "../../proto/gen/troupe.ts";

type TouchType = Protocol.Input.DispatchTouchEventRequest["type"];

const TYPES: Readonly<Record<string, TouchType>> = {
  start: "touchStart",
  move: "touchMove",
  end: "touchEnd",
  cancel: "touchCancel",
};
/** Two fingers would zoom the page. The agent's clicks would miss in it, and Chrome takes no zoom back reliably. */
const FINGERS_MAX = 1;

/** The finger of one person in one tab. */
export class Touches {
  readonly #client: CDPSession;
  /** Takes each command that Chrome has got. Nothing waits for its answer at once. */
  readonly #sent: (command: Promise<unknown>) => void;
  #isTouching = false;

  constructor(client: CDPSession, sent: (command: Promise<unknown>) => void) {
    this.#client = client;
    this.#sent = sent;
  }

  /** A person's page that was loaded again may begin in the midst of a touch, or have left one open. */
  take({ type, points }: PersonTouch): void {
    const kind = TYPES[type];
    if (!kind) return;
    if (kind === "touchStart") this.letGo();
    else if (!this.#isTouching) return;
    this.#isTouching = kind === "touchStart" || kind === "touchMove";
    this.#dispatch(
      kind,
      points.slice(0, FINGERS_MAX).map(({ id, x, y }) => ({ id, x, y })),
    );
  }

  /** Breaks off a touch that has not ended. Chrome begins no other one before. */
  letGo(): void {
    if (!this.#isTouching) return;
    this.#isTouching = false;
    this.#dispatch("touchCancel", []);
  }

  #dispatch(type: TouchType, touchPoints: Protocol.Input.TouchPoint[]): void {
    this.#sent(this.#client.send("Input.dispatchTouchEvent", { type, touchPoints }));
  }
}
