// Has pages throw away what nothing refers to any more. Where memory is not short on the machine, Chrome is slow to: of
// pages that a tab has left, it was seen to hold more than ten times what the ones that are shown need.
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Session } from "../session/session.ts";

/** A process that takes longer is held by its page. */
const COLLECTED_MS_MAX = 1_000;
/** All together, whatever they are. */
const ALL_MS_MAX = 10_000;

/**
 * Asks one process after the other, as each takes a whole processor for it; not those that answer nothing, under a dialog
 * or while their page is freed. Resolves when all have, or time is over.
 */
export async function collectGarbage(sessions: readonly Session[]): Promise<void> {
  const endMs = performance.now() + ALL_MS_MAX;
  const tabs = sessions
    .flatMap((session) => session.tabs)
    .filter(({ dialog, freeing }) => !dialog && !freeing);
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
