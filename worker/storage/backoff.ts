// Decides how soon a background read may follow the last one.

/** Reading may cost at most this share of the time. */
const SHARE_MAX = 0.05;

/**
 * Returns the pause after a read that took so long. It is never longer than `pauseMsMax`, even if reading then costs
 * more.
 */
export function backoffAfterMs(tookMs: number, pauseMsMax: number): number {
  return Math.min(tookMs / SHARE_MAX, pauseMsMax);
}

/**
 * The daemon encrypts and writes what pages store by themselves. This bounds it for one context, in bytes per
 * millisecond.
 */
const BYTES_PER_MS = 128;
/** The pause is bounded, because data that a page stores during it would be lost with its worker. */
const BYTES_PAUSE_MS_MAX = 10_000;

/** Returns the pause after so many bytes were reported. */
export function backoffAfterBytesMs(bytes: number): number {
  return Math.min(bytes / BYTES_PER_MS, BYTES_PAUSE_MS_MAX);
}
