// Shows a tab as Chrome draws it. Pictures go out as fast as the person's page shows them: the newest wins.
import type { CDPSession, Protocol } from "puppeteer-core";
import type { Input, PersonFrame } from "../../proto/gen/troupe.ts";
import { unlessGone } from "../core/gone.ts";

/** So many pictures may be on their way to the person. */
const UNDER_WAY_MAX = 2;
const QUALITY = 70;
/** A picture has at most so many pixels in each direction. */
const SIDE_MAX = 1_920;

/** The size of the person's view, in pixels. */
export interface ViewSize {
  width: number;
  height: number;
}

type Picture = Omit<Input<PersonFrame>, "number">;

export interface ScreencastParts {
  send(frame: Input<PersonFrame>): void;
  /** Chrome shows no pictures. */
  failed(error: unknown): void;
}

/** The pictures of one tab. Disposing of it ends them. */
export class Screencast implements Disposable {
  readonly #client: CDPSession;
  readonly #parts: ScreencastParts;
  #hasBegun = false;
  /** The newest picture that was not sent. */
  #waiting: Picture | undefined;
  #sent = 0;
  #shown = 0;
  readonly #onFrame = (event: Protocol.Page.ScreencastFrameEvent) => this.#drawn(event);

  constructor(client: CDPSession, parts: ScreencastParts) {
    this.#client = client;
    this.#parts = parts;
    client.on("Page.screencastFrame", this.#onFrame);
  }

  /** Begins, or begins anew in another size. Pictures that are on their way count as lost. */
  begin({ width, height }: ViewSize): void {
    this.#shown = this.#sent;
    // Chrome refuses to begin what has begun.
    if (this.#hasBegun) this.#stop();
    this.#hasBegun = true;
    this.#done(
      this.#client.send("Page.startScreencast", {
        format: "jpeg",
        quality: QUALITY,
        maxWidth: sideOf(width),
        maxHeight: sideOf(height),
      }),
    );
  }

  /** Notes that the person's page has shown a picture. */
  shown(number: number): void {
    if (number > this.#sent) return;
    this.#shown = Math.max(this.#shown, number);
    this.#push();
  }

  /** A tab that is shown again goes on with the numbers of the one before. */
  numberedFrom(last: number): this {
    this.#sent = last;
    this.#shown = last;
    return this;
  }

  get lastNumber(): number {
    return this.#sent;
  }

  [Symbol.dispose](): void {
    this.#client.off("Page.screencastFrame", this.#onFrame);
    this.#stop();
  }

  #stop(): void {
    this.#done(this.#client.send("Page.stopScreencast"));
  }

  /** Nothing waits for the answer, and Chrome keeps the order. */
  #done(answer: Promise<unknown>): void {
    unlessGone(answer).catch(this.#parts.failed);
  }

  #drawn({ data, metadata, sessionId }: Protocol.Page.ScreencastFrameEvent): void {
    // Chrome would drop the last picture of a movement if it had to wait for the person.
    this.#done(this.#client.send("Page.screencastFrameAck", { sessionId }));
    const { deviceWidth: width, deviceHeight: height } = metadata;
    this.#waiting = { image: Buffer.from(data, "base64"), width, height };
    this.#push();
  }

  #push(): void {
    if (!this.#waiting || this.#sent - this.#shown >= UNDER_WAY_MAX) return;
    const picture = this.#waiting;
    this.#waiting = undefined;
    this.#parts.send({ ...picture, number: ++this.#sent });
  }
}

function sideOf(pixels: number): number {
  return Math.min(SIDE_MAX, Math.max(1, Math.round(pixels)));
}
