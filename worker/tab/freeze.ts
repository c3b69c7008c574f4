// A page that stands still: nothing in it runs, until it is woken. Measured: 3 ms to stop it, and as long to wake it.
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { holdFocus } from "./held-focus.ts";
import type { Tab } from "./tab.ts";

/** A page's process that does not run at all is the next call's finding. */
const WAKE_MS_MAX = 1_000;

/** Whether stopping the page now would leave something half done, or somebody without an answer. */
export function isBusy(tab: Tab): boolean {
  return tab.dialog !== undefined || tab.activity.navigating;
}

/** Stops the page: its scripts, timers, animations. What servers send it waits. A page that has the focus runs on, so it is told that it has not. */
export async function freeze(tab: Tab): Promise<void> {
  tab.isFrozen = true;
  await unlessGone(tab, "freeze-page", [
    holdFocus(tab.client, false),
    tab.client.send("Page.setWebLifecycleState", { state: "frozen" }),
  ]);
}

/** Has the page go on. Resolves when it does, or does not in its time. */
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
