// A bounded list with entries of several owners. An owner that fills it makes room with its own entries.

/** Keeps at most `max` entries in their order. The owner with the most entries loses its oldest, again and again. */
export function fairShare<T>(entries: readonly T[], max: number, ownerOf: (entry: T) => string): T[] {
  const kept = [...entries];
  const counts = new Map<string, number>();
  for (const entry of kept) counts.set(ownerOf(entry), (counts.get(ownerOf(entry)) ?? 0) + 1);
  while (kept.length > max) {
    const most = Math.max(...counts.values());
    // Among owners with equally many, the first one found has the oldest entry.
    const oldest = kept.findIndex((entry) => counts.get(ownerOf(entry)) === most);
    const [gone] = kept.splice(oldest, 1) as [T];
    counts.set(ownerOf(gone), most - 1);
  }
  return kept;
}
