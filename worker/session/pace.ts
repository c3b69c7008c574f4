// How soon a look that nobody waits for may be followed by the next.

/** Looking costs no more than this share of the time. */
const SHARE_MAX = 0.05;

/** How long to rest after a look that took so long; never longer than `pauseMsMax`, whatever it costs then. */
export function restAfterMs(tookMs: number, pauseMsMax: number): number {
  return Math.min(tookMs / SHARE_MAX, pauseMsMax);
}
