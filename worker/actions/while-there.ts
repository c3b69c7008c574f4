// Asks a page that may be leaving.
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import type { Page } from "../tab/page.ts";

/**
 * Asks a page that may be leaving. Returns undefined if its document or tab goes away, a dialog comes, or the time is
 * up. It also gives up if another page is on its way for `leavingMs`: that may yet bring no document.
 */
export async function whileThere<T>(
  page: Page,
  asking: () => Promise<T>,
  timeMs: number,
  leavingMs = 0,
): Promise<T | undefined> {
  const { tab } = page;
  const { activity } = tab;
  const waiting = new AbortController();
  const { signal } = waiting;
  // Chrome delays the answer while another page is on its way.
  const leaving = async () => {
    do {
      while (!signal.aborted && !activity.navigating) await activity.changed(signal);
      const late = AbortSignal.any([signal, AbortSignal.timeout(leavingMs)]);
      while (leavingMs > 0 && !late.aborted && activity.navigating) await activity.changed(late);
    } while (!signal.aborted && !activity.navigating);
    return undefined;
  };
  try {
    return await withinTime(() => Promise.race([asking(), leaving()]), timeMs);
  } catch (error) {
    if (isGone(error) || error instanceof FrameTimeout || tab.halt || !tab.isOpen) return undefined;
    throw error;
  } finally {
    waiting.abort();
  }
}
