// Whether two lists hold the same things in the same order.

/** Of arrays and of the DOM's lists, by identity. */
export function isSameList<T>(a: ArrayLike<T>, b: readonly T[]): boolean {
  return a.length === b.length && b.every((value, at) => value === a[at]);
}
