/** The figures that a benchmark needs of a list of times. */

/**
 * Returns the middle value. For an even number of values it is the mean of the two in the middle; for none, undefined.
 */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** Returns how often `own` goes into `other`; above 1, own is ahead. Undefined if either is missing or own is 0. */
export function timesAhead(own: number | undefined, other: number | undefined): number | undefined {
  return own === undefined || other === undefined || own <= 0 ? undefined : other / own;
}
