// Decides when a session's next picture is taken. It is pure.

/** A client that makes no call for so long thinks, or has ended. */
export const PAUSE_MS = 120;
/** The share of a busy session's time that pictures may cost. */
const COST_SHARE = 0.02;

/** The calls of a session since its last picture. */
export interface SincePicture {
  /** The time of the calls, in milliseconds. */
  workMs: number;
  /** The time that its last pictures took, in milliseconds. */
  costMs: number;
}

/**
 * Returns how long a picture waits for a pause. A session whose calls follow one another at once gets one when its calls
 * have taken so long that the picture's cost hardly shows.
 */
export function pictureDelayMs({ workMs, costMs }: SincePicture): number {
  return costMs <= workMs * COST_SHARE ? 0 : PAUSE_MS;
}
