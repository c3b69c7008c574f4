// Reads a client's trace context from a request's `_meta` (W3C Trace Context).
import { traceparent } from "../tracing/traceparent.ts";

/** Returns the trace and its span as one id; undefined if the client sent none, or one that is not well formed. */
export function traceIn(meta: unknown): string | undefined {
  const given = (meta ?? {}) as { traceparent?: unknown };
  return traceparent(given.traceparent);
}
