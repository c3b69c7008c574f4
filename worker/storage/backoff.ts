// How soon a look that nobody waits for may be followed by the next.

/** Looking costs no more than this share of the time. */
const SHARE_MAX = 0.05;

/** How long to rest after a look that took so long; never longer than `pauseMsMax`, whatever it costs then. */
export function backoffAfterMs(tookMs: number, pauseMsMax: number): number {
  return Math.min(tookMs / SHARE_MAX, pauseMsMax);
}

/** What pages store by themselves is encrypted and written by the daemon: so much of one context, in bytes a millisecond. */
const BYTES_PER_MS = 128;
/** What a page stored meanwhile would be lost with its worker. */
const BYTES_PAUSE_MS_MAX = 10_000;

/** How long to rest after so many bytes were told. */
export function backoffAfterBytesMs(bytes: number): number {
  return Math.min(bytes / BYTES_PER_MS, BYTES_PAUSE_MS_MAX);
}
