// Freezes and resumes a page. Measured: 3 ms to freeze it, and as long to resume it.
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { holdFocus } from "./held-focus.ts";
import type { Tab } from "./tab.ts";

/** A page's process that does not run at all is left for the next call to report. */
const WAKE_MS_MAX = 1_000;

/** Returns true if freezing the page now would leave a dialog or a navigation half done. */
export function isBusy(tab: Tab): boolean {
  return tab.dialog !== undefined || tab.activity.navigating;
}

/**
 * Freezes the page: its scripts, timers and animations stop, and data from servers waits. A page with the focus would
 * run on, so the focus is taken away first.
 */
export async function freeze(tab: Tab): Promise<void> {
  tab.isFrozen = true;
  await unlessGone(tab, "freeze-page", [
    holdFocus(tab.client, false),
    tab.client.send("Page.setWebLifecycleState", { state: "frozen" }),
  ]);
}

/** Resumes the page. Resolves when the page runs, or when the time is up. */
export async function wake(tab: Tab): Promise<void> {
  if (!tab.isFrozen) return;
  tab.isFrozen = false;
  await unlessGone(tab, "wake-page", [
    tab.client.send("Page.setWebLifecycleState", { state: "active" }),
    holdFocus(tab.client, true),
  ]);
}

async function unlessGone(tab: Tab, what: string, sent: Promise<void>[]): Promise<void> {
  try {
    await withinTime(() => Promise.all(sent), WAKE_MS_MAX);
  } catch (error) {
    if (!isGone(error) && !(error instanceof FrameTimeout)) tab.failures.cleanup(what, error as Error);
  }
}
