// The newest calls: who did what, when, how it ended. Bounded; never their arguments.
import type { Call } from "../../proto/gen/troupe.ts";
import type { EndedCall } from "../calls/ended-call.ts";
import { timestamp } from "../supervisor/failure-history.ts";

const KEPT_MAX = 10_000;

/** The calls that were recorded, in a ring. */
export class FlightRecorder {
  readonly #calls: EndedCall[] = [];
  #next = 0;

  record(call: EndedCall): void {
    this.#calls[this.#next] = call;
    this.#next = (this.#next + 1) % KEPT_MAX;
  }

  /** The newest calls that fit, newest last. */
  newest(limit: number, fits: (call: EndedCall) => boolean): Call[] {
    const found: EndedCall[] = [];
    for (let back = 1; back <= this.#calls.length && found.length < limit; back++) {
      const call = this.#calls[(this.#next - back + KEPT_MAX) % KEPT_MAX];
      if (call && fits(call)) found.push(call);
    }
    return found.reverse().map(callMessage);
  }
}

/** A call as the protocol tells of it. */
export function callMessage({ tool, role, session, outcome, durationMs, atMs, requestId }: EndedCall): Call {
  return { tool, role, session, outcome, durationMs, at: timestamp(atMs), requestId };
}
