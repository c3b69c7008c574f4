// One call of a tool, as far as it concerns the worker: whose it is, when it must end, and what it waits for.
import type { FailedCall } from "../../proto/errors/catalogue.ts";

/** A call without a deadline ends after this. */
export const CALL_MS_DEFAULT = 30_000;

/** The call has been answered: what still waits for its sake goes home. */
export class CallOver extends Error {
  override readonly name = "CallOver";
}

/** Who calls, from where, until when. */
export interface Call extends FailedCall {
  /** The session's key in the daemon; `session` is the id that its client knows. */
  sessionKey: string;
  requestId: string;
  /** Its client may not have had the session's reply before this call. */
  mayLack?: boolean;
  /** The budget of its client's replies, in tokens, where that has one of its own. */
  maxTokens?: number | undefined;
  /** Aborted with the error that ends the call: CANCELLED, TIMEOUT at the deadline, or CallOver when it is answered. */
  signal: AbortSignal;
  /** By the steady clock of this process (`performance.now()`). */
  deadline: number;
  /** What the call waits for at the moment, for the words of a TIMEOUT. */
  waitsFor: string;
  /** The page that has been asked for a sign of life and has not given one. */
  silentPage?: { readonly tab: { readonly url: string } } | undefined;
}

/** Waits for `promise` no longer than the call lasts. What is waited for goes on, unobserved. */
export async function duringCall<T>(call: Call, promise: Promise<T>): Promise<T> {
  // However it ends after the call has: nobody is left to hear of it.
  promise.catch(() => undefined);
  call.signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(call.signal.reason);
  call.signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    call.signal.removeEventListener("abort", onAbort);
  }
}
