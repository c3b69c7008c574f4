// Makes pages collect their garbage. Chrome is slow to do so while the machine has enough memory. It was seen to hold
// more than ten times what a tab's shown page needs, for pages that were left.
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Session } from "../session/session.ts";

/** A process that takes longer is blocked by its page. */
const COLLECTED_MS_MAX = 1_000;
/** The bound for all processes together. */
const ALL_MS_MAX = 10_000;

/**
 * Asks one process after the other, because each takes a whole processor for it. Pages that cannot answer are left out:
 * those under a dialog or paused, or being freed. Resolves when all have finished, or when the time is up.
 */
export async function collectGarbage(sessions: readonly Session[]): Promise<void> {
  const endMs = performance.now() + ALL_MS_MAX;
  const tabs = sessions
    .flatMap((session) => session.tabs.open)
    .filter(({ halt, lifecycle }) => !halt && !lifecycle.freeing);
  for (const client of tabs.flatMap((tab) => tab.frames.clients)) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) return;
    try {
      const collected = () => client.send("HeapProfiler.collectGarbage");
      await withinTime(collected, Math.min(leftMs, COLLECTED_MS_MAX));
    } catch (error) {
      if (!isGone(error) && !(error instanceof FrameTimeout)) throw error;
    }
  }
}
