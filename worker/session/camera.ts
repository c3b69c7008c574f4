// Takes a small picture after each recorded call of a session, in the pause before the next one.
import { pictureDelayMs } from "./picture-plan.ts";
import { NEXT_CALL } from "./turn.ts";

/** A picture, or the reason why there is none. */
export type Taken = { image: Buffer } | { missing: string };

export interface CameraParts {
  /** A call has its turn. */
  isBusy(): boolean;
  /** A person is at work, or about to be. */
  hasPerson(): boolean;
  nowMs(): number;
}

const PERSON = "a person was at work";
/** The assumed cost of the first picture, in milliseconds. */
const FIRST_COST_MS = 60;
/** The newest cost's share in the average. */
const NEWEST_SHARE = 0.5;

/** A recorded call that has ended. */
export interface Pictured {
  /** The time that the call took. */
  tookMs: number;
  take(): Promise<Taken>;
  /** Receives the picture. */
  report(taken: Taken): void;
}

interface Due extends Pictured {
  timer: NodeJS.Timeout;
}

/** One session's camera. Ended by {@link Camera.close}. */
export class Camera {
  readonly #parts: CameraParts;
  #due: Due | undefined;
  #taking: Promise<void> | undefined;
  #workMs = 0;
  #costMs = FIRST_COST_MS;
  #isClosed = false;

  constructor(parts: CameraParts) {
    this.#parts = parts;
  }

  /** Notes that a call begins. A picture that still waits is not taken. */
  callBegan(): void {
    if (this.#due) this.#miss(this.#due, NEXT_CALL);
  }

  /** Has a picture taken of what a call led to. */
  callEnded(call: Pictured): void {
    this.callBegan();
    if (this.#isClosed) return;
    this.#workMs += call.tookMs;
    const delayMs = pictureDelayMs({ workMs: this.#workMs, costMs: this.#costMs });
    const due: Due = { ...call, timer: setTimeout(() => void this.#begin(due), delayMs) };
    due.timer.unref();
    this.#due = due;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#due?.timer);
    this.#due = undefined;
  }

  #miss({ timer, report }: Due, missing: string): void {
    clearTimeout(timer);
    this.#due = undefined;
    report({ missing });
  }

  async #begin(due: Due): Promise<void> {
    // Two pictures at once would show the page in each other's masks.
    await this.#taking;
    if (this.#due !== due) return;
    if (this.#parts.hasPerson()) this.#miss(due, PERSON);
    else if (this.#parts.isBusy()) this.#miss(due, NEXT_CALL);
    else {
      this.#due = undefined;
      this.#taking = this.#take(due);
      await this.#taking;
    }
  }

  async #take({ take, report }: Due): Promise<void> {
    const beganMs = this.#parts.nowMs();
    const taken = await take();
    const tookMs = this.#parts.nowMs() - beganMs;
    this.#workMs = 0;
    // A picture that was given up says nothing of the cost of a whole one.
    const isWhole = "image" in taken || taken.missing !== NEXT_CALL;
    if (isWhole) this.#costMs += (tookMs - this.#costMs) * NEWEST_SHARE;
    // A person who has come meanwhile may have typed already.
    report(this.#parts.hasPerson() ? { missing: PERSON } : taken);
  }
}
