// Bounds the time for a frame's answer. A frame that hangs is left out and does not delay the others.

import { within } from "../../proto/machine/within.ts";
import type { Call } from "./call.ts";
import { timeLeftMs } from "./time-left.ts";

const FRAME_MS_MAX = 2_000;
/** The bound for a frame or a page that did not answer before. */
export const AGAIN_MS_MAX = 300;

/** A frame did not answer in time. */
export class FrameTimeout extends Error {
  override readonly name = "FrameTimeout";
  readonly reason = "timeout";
}

/** Returns how long a frame may take in this call. */
export function frameTimeMs(call: Call, wasSilent = false): number {
  const left = Math.max(0, timeLeftMs(call, "frame"));
  return Math.min(wasSilent ? AGAIN_MS_MAX : FRAME_MS_MAX, left);
}

/** Rejects with FrameTimeout, with these words, if the work takes longer. */
export async function withinTime<T>(work: () => Promise<T>, timeMs: number, words = "timeout"): Promise<T> {
  return await within({ timeMs, late: () => new FrameTimeout(words) }, work());
}
