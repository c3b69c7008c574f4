// Reads the `traceparent` of a caller (W3C Trace Context, version 00 and later).

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Returns the value if it is well formed. It then holds a trace's id and a span's id. */
export function traceparent(value: unknown): string | undefined {
  return typeof value === "string" && TRACEPARENT.test(value) ? value : undefined;
}
