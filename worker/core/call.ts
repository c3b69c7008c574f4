// Holds what the worker knows of a tool's call: its caller, its deadline, and what it waits for.
import type { FailedCall, TroupeError } from "../../proto/errors/catalogue.ts";
import type { SecretField } from "../bridge/api/bridge-api.ts";
import type { StepNotes } from "./step-notes.ts";

/** A call without a deadline ends after this. */
export const CALL_MS_DEFAULT = 30_000;

/** Reports that the call has been answered, so that its remaining waits end. */
export class CallOver extends Error {
  override readonly name = "CallOver";
}

/** A call's caller, tab and deadline. */
export interface Call extends FailedCall {
  /** The session's key in the daemon; `session` is the id that its client knows. */
  sessionKey: string;
  requestId: string;
  /** Its client may lack the session's reply before this call. */
  mayLack?: boolean;
  /** The budget of its client's replies, in tokens, if the client has its own. */
  maxTokens?: number | undefined;
  /** Aborted with the error that ends the call: CANCELLED, TIMEOUT at the deadline, or CallOver when it is answered. */
  signal: AbortSignal;
  /** The deadline by the monotonic clock of this process (`performance.now()`). */
  deadline: number;
  /** The thing that the call waits for at the moment, for the message of a TIMEOUT. */
  waitsFor: string;
  /** The notes of its action for the record of the session's steps, while it is recorded. */
  notes?: StepNotes | undefined;
  /** The id of the evidence that is kept of it; undefined for a call that is not recorded. */
  evidence?: string | undefined;
  /** The fields for secrets in what a recorded call has read. Undefined if it has read no tree. */
  secretFields?: SecretField[] | undefined;
  /** Returns the error of a call that ends while an action of its session waits for a person. */
  heldUp?: (() => TroupeError | undefined) | undefined;
  /**
   * Called whenever a page is about to be read for the reply: what the call led to has settled. Undefined for a call that
   * only reads.
   */
  beforeReading?: (() => void) | undefined;
  /** The page that was asked for a sign of life and has not answered. */
  silentPage?: { readonly tab: { readonly url: string } } | undefined;
}
