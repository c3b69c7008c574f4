// Reads a client's trace context from a request's `_meta` (W3C Trace Context).

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

/** Returns the trace and its span as one id; undefined if the client sent none, or one that is not well formed. */
export function traceIn(meta: unknown): string | undefined {
  const { traceparent } = (meta ?? {}) as { traceparent?: unknown };
  return typeof traceparent === "string" && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}
