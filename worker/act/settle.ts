// When an action is done: what it started has ended and the page is quiet, by events, within bounds.
import { FrameTimeout, withinTime } from "../tab/frame-time.ts";
import { isGone } from "../tab/gone.ts";
import { change, isInteractive, NAVIGATION_MS_MAX, SETTLE_MS_MAX } from "../tab/load.ts";
import type { Page } from "../tab/page.ts";
import { timeLeftMs } from "../tab/time-left.ts";

/**
 * No change for so long is quiet: where nothing has come of the action yet, longer than where something has. Looked for
 * no longer than the last figure.
 */
const QUIET = { windowMs: 25, changedMs: 10, maxMs: 300 };
/** What no script has heard of has no late consequence: only what the page had queued is waited for. */
const QUIET_UNHEARD = { ...QUIET, windowMs: 0, changedMs: 0 };

/** What had been started before the action: whatever is newer is the action's. */
export interface Mark {
  started: number;
  /** True where it is known that no script of the page ran because of the action. */
  unheard?: boolean;
}

export function markOf({ tab }: Page): Mark {
  return { started: tab.activity.started };
}

/**
 * Resolves when the page is settled, a dialog is open, the tab is closed, or the time is up. What starts before the page
 * is first quiet is the action's, whatever it is; what a page polls after that is its own.
 */
export async function settled(page: Page, mark: Mark): Promise<void> {
  const { tab } = page;
  const { activity } = tab;
  page.call.waitsFor = "the page to settle";
  const began = performance.now();
  const isArriving = () => activity.navigating || !isInteractive(page);
  const end = () => began + (isArriving() ? NAVIGATION_MS_MAX : SETTLE_MS_MAX);
  const leftMs = () => Math.min(end() - performance.now(), timeLeftMs(page.call, "settling"));
  let firstQuiet: number | undefined;
  while (tab.isOpen && !tab.dialog && leftMs() > 0) {
    const seen = activity.news;
    if (isArriving()) await change(page, leftMs());
    else if (firstQuiet !== undefined && activity.requestsSince(mark.started, firstQuiet) > 0)
      await change(page, leftMs());
    else if (await quiet(page, mark, leftMs())) {
      const isFirst = firstQuiet === undefined;
      firstQuiet ??= activity.started;
      const pending = activity.requestsSince(mark.started, firstQuiet) > 0;
      if (!pending && !isArriving() && (isFirst || activity.news === seen)) return;
    }
  }
}

/** False where the document or the tab went away meanwhile, or a dialog came: the caller looks again. */
async function quiet(page: Page, { unheard = false }: Mark, timeMs: number): Promise<boolean> {
  const asking = () => page.ask(page.main(), "quiet", unheard ? QUIET_UNHEARD : QUIET);
  return (await whileThere(page, asking, timeMs)) !== undefined;
}

/**
 * Asks a page that may be leaving: undefined where its document or the tab goes away, a dialog comes, it takes longer,
 * or another page is on its way for `leavingMs`, which may yet bring no document.
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
  // Chrome keeps the answer back while another page is on its way.
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
    if (isGone(error) || error instanceof FrameTimeout || tab.dialog || !tab.isOpen) return undefined;
    throw error;
  } finally {
    waiting.abort();
  }
}
