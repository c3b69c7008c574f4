// Bounds what the evidence of one session may take in a while. It is pure.

/** The bytes that a session may still store. */
export interface Quota {
  bytes: number;
  atMs: number;
}

/** Steady work stays below this. */
export const BYTES_A_MINUTE = 1_000_000;
/** A session that has rested may store so much at once. */
const BURST_BYTES = 500_000;
/** Texts may still use these bytes when pictures may not. */
const FOR_TEXTS_BYTES = 200_000;
const MINUTE_MS = 60_000;

export const UNUSED: Quota = { bytes: BURST_BYTES, atMs: 0 };

/** Returns the quota after a part was stored, or undefined if the part has no place in it. */
export function spent(
  { bytes, atMs }: Quota,
  part: { bytes: number; isPicture: boolean; atMs: number },
): Quota | undefined {
  const passedMs = Math.max(0, part.atMs - atMs);
  const grown = Math.min(BURST_BYTES, bytes + (passedMs * BYTES_A_MINUTE) / MINUTE_MS);
  const left = grown - part.bytes;
  return left < (part.isPicture ? FOR_TEXTS_BYTES : 0) ? undefined : { bytes: left, atMs: part.atMs };
}
