// Limits how much of a call's time a wait may take. The steps after the wait, at least the reply, need the rest.
import type { Call } from "./call.ts";

/** The time that is kept back, by the purpose of the wait. */
const KEPT_MS = {
  /** A frame that does not answer: the page is shown without it. */
  frame: 500,
  /** A page that does not show an action's result: one line says that it is silent. */
  changes: 250,
  /** A page that does not settle: it is still read, frame by frame. */
  settling: 1_000,
  /** A page that does not show its login state: the reply is ready, or the login is reloaded. */
  login: 500,
  /** A condition that does not come true: the page is read, as after an action. */
  wish: 1_000,
} as const;

/** Returns how many milliseconds the wait may still take. The result is negative if the call's time is up. */
export function timeLeftMs({ deadline }: Call, waitedFor: keyof typeof KEPT_MS): number {
  return deadline - KEPT_MS[waitedFor] - performance.now();
}
