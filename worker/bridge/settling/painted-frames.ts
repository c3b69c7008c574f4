// Waits for the page's next frames, even if they are late.
import { nextFrame } from "../aim/stable.ts";

/** A busy machine may delay a frame by half a second. */
const MISSED_MAX = 5;

/** Makes a wait for so many frames. It gives up if none comes at all, and soon does so the next time. */
export function createPaintedFrames(): (count: number) => Promise<void> {
  let missedMax = MISSED_MAX;
  const painted = async (): Promise<boolean> => {
    for (let missed = 0; missed < missedMax; missed++) if (await nextFrame()) return true;
    return false;
  };
  return async (count) => {
    for (let n = 0; n < count; n++) missedMax = (await painted()) ? MISSED_MAX : 1;
  };
}
