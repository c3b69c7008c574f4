// Writes numbers and times for people.

const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
] as const;

/** Returns a duration such as `3 min`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** Returns how long a call took. */
export function tookText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export function bytesText(bytes: number): string {
  return bytes === 0 ? "–" : `${Math.round(bytes / 2 ** 20)} MiB`;
}

export function clockText(ms: number): string {
  return new Date(ms).toLocaleTimeString();
}

/** Returns a state of the protocol as words, such as `backing off`. */
export function stateText(state: string): string {
  return state.replaceAll("_", " ").toLowerCase();
}

export function percentText(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((100 * part) / whole)}%`;
}
