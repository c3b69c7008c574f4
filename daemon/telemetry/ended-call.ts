// A call that has ended, for metrics, journal and log. It never has its arguments' values.
import { createHash } from "node:crypto";
import type { ElementMark } from "../../proto/wire/element-mark.ts";
import type { IntendedElement } from "./intended-element.ts";

export interface EndedCall {
  tool: string;
  /** A configured role: the call's. If the call was rejected, the role it meant or its session's; else empty. */
  role: string;
  /** The client's name; empty if it is unknown. */
  client: string;
  /** The session's id; empty if the caller named none. */
  session: string;
  /** Empty if no such session exists. */
  sessionKey: string;
  requestId: string;
  /** The trace of a traced call: 32 hex digits. It is the exemplar of the call's duration and error. */
  traceId?: string;
  /** OK, or the type of the call's error. */
  outcome: string;
  /** The name of the gRPC status code. */
  code: string;
  durationMs: number;
  atMs: number;
  /** The element that the call concerned, if it succeeded and concerned one. */
  element?: ElementMark;
  failure?: EndedFailure;
  /** The id of its evidence, if it is recorded. */
  evidence?: string;
  /** True if the call was rejected for its client's rate. Not all of these calls are recorded. */
  isOverRate?: boolean;
}

export interface EndedFailure {
  category: string;
  recoverable: boolean;
  /** The time from which the very same call may be tried again, if the error names one. */
  retryAtMs?: number;
  /** Equal for equal requests. */
  digest: string;
  /** The intended element, if the error concerns one. */
  meant?: IntendedElement;
  message: string;
  /** Writes the error's text, as a model reads it. */
  plan: () => string;
}

/** Returns the text of the call's error, as a model reads it; empty without an error. */
export function planOf({ failure }: EndedCall): string {
  try {
    return failure?.plan() ?? "";
  } catch {
    // A worker of another version may send an error without all of its data. The record of the call still counts.
    return failure?.message ?? "";
  }
}

/** Returns a digest that identifies equal requests and reveals nothing else. */
export function digestOf(request: Uint8Array): string {
  return createHash("sha256").update(request).digest("base64");
}
