// How much of a call's time may be waited: what comes after the wait, the reply at least, needs the rest.
import type { Call } from "./call.ts";

/** What is kept back, by what is waited for. */
const KEPT_MS = {
  /** A frame that does not answer: the page is told without it. */
  frame: 500,
  /** A page that does not show what came of an action: that it is silent is one line. */
  changes: 250,
  /** A page that does not settle: it is looked at all the same, frame by frame. */
  settling: 1_000,
  /** A page that does not show whether one is logged in: the reply has been made, or the login is loaded anew. */
  login: 500,
  /** What does not come about: the page is looked at, as after an action. */
  wish: 1_000,
} as const;

/** Milliseconds that this may still be waited for; below 0 where the call's time is up. */
export function timeLeftMs({ deadline }: Call, waitedFor: keyof typeof KEPT_MS): number {
  return deadline - KEPT_MS[waitedFor] - performance.now();
}
