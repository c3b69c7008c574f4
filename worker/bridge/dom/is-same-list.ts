// Compares lists.

/** Reports if both lists hold the same things in the same order, by identity. It takes arrays and the DOM's lists. */
export function isSameList<T>(a: ArrayLike<T>, b: readonly T[]): boolean {
  return a.length === b.length && b.every((value, at) => value === a[at]);
}
