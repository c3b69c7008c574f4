// Maps that remember the newest of what others may name without end.

/** Puts it in as the newest; beyond `max`, the oldest makes way. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
