// A call that has ended, as everything that counts and tells of calls sees it. Never its arguments' values.
import { createHash } from "node:crypto";

export interface EndedCall {
  tool: string;
  /** A configured role; empty where none was settled. */
  role: string;
  /** The session's id; empty where none was settled. */
  session: string;
  sessionKey: string;
  requestId: string;
  /** OK, or the type of its error. */
  outcome: string;
  /** The name of the gRPC status code. */
  code: string;
  durationMs: number;
  atMs: number;
  failure?: EndedFailure;
}

/** What is counted of a failure. */
export interface EndedFailure {
  category: string;
  recoverable: boolean;
  /** When the very same call may be tried again, where the error says so. */
  retryAtMs?: number;
  /** Equal for equal requests; computed when asked. */
  digest: string;
  message: string;
}

/** A digest by which equal requests are told, and nothing else. */
export function digestOf(request: Uint8Array): string {
  return createHash("sha256").update(request).digest("base64");
}
