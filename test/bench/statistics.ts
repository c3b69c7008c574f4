/** The few figures that a benchmark needs of a list of times. */

/** The middle value; of an even number of values, the mean of the two in the middle. Undefined of none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

/** How often `own` goes into `other`: above 1, own is ahead. Undefined where either is missing or own is nothing. */
export function timesAhead(own: number | undefined, other: number | undefined): number | undefined {
  return own === undefined || other === undefined || own <= 0 ? undefined : other / own;
}
