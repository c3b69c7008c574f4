// Spans of time for a chart, without gaps.

/** Returns each span of the time up to now. Those in which nothing happened have none. */
export function spread<S extends { atMs: number }>(
  spans: readonly S[],
  shownMs: number,
  spanMs: number,
  nowMs: number,
): { atMs: number; span: S | undefined }[] {
  const known = new Map(spans.map((span) => [span.atMs, span]));
  const last = Math.floor(nowMs / spanMs) * spanMs;
  const count = Math.floor(shownMs / spanMs);
  return Array.from({ length: count }, (_, index) => {
    const atMs = last - (count - 1 - index) * spanMs;
    return { atMs, span: known.get(atMs) };
  });
}
