// A call that has ended, as everything that counts and tells of calls sees it. Never its arguments' values.
import { createHash } from "node:crypto";
import type { ElementMark } from "../../proto/wire/element-mark.ts";
import type { IntendedElement } from "./intended-element.ts";

export interface EndedCall {
  tool: string;
  /** A configured role: the call's, or where it was not admitted, the one that it meant or its session's; else empty. */
  role: string;
  /** Whose it was; empty where that is not known. */
  client: string;
  /** The session's id; empty where the caller named none. */
  session: string;
  /** Empty where there is no such session. */
  sessionKey: string;
  requestId: string;
  /** OK, or the type of its error. */
  outcome: string;
  /** The name of the gRPC status code. */
  code: string;
  durationMs: number;
  atMs: number;
  /** What it was about, where it was an element and the call succeeded. */
  element?: ElementMark;
  failure?: EndedFailure;
  /** It was refused for its client's rate, as calls before it had been: it is counted, and told to nobody. */
  isOneOfMany?: boolean;
}

/** What is counted of a failure. */
export interface EndedFailure {
  category: string;
  recoverable: boolean;
  /** When the very same call may be tried again, where the error says so. */
  retryAtMs?: number;
  /** Equal for equal requests; computed when asked. */
  digest: string;
  /** The element that was meant, where the error is about one. */
  meant?: IntendedElement;
  message: string;
}

/** A digest by which equal requests are told, and nothing else. */
export function digestOf(request: Uint8Array): string {
  return createHash("sha256").update(request).digest("base64");
}
