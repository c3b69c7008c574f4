// Maps that keep only the newest entries, because other parties may name any number of keys.

/** Puts the entry in as the newest. Beyond `max`, the oldest entry is removed. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
