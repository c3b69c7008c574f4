// When a tab's document is there: interactive, and complete.
import { cut, spelledOut, withoutUserinfo } from "../../proto/quote.ts";
import type { Page } from "./page.ts";

/** A page that polls or animates for ever holds an action no longer than this. */
export const SETTLE_MS_MAX = 3_000;
/** A document that an action leads to is waited for longer: nothing can be done before it is there. */
export const NAVIGATION_MS_MAX = 10_000;
const URL_LENGTH_MAX = 200;

/** Waits until the document is complete; false where it has been interactive for as long as an action may take to settle. */
export async function loaded(page: Page): Promise<boolean> {
  const { activity } = page.tab;
  page.call.waitsFor = answerAwaited(page) ?? "the page to load";
  while (page.tab.isOpen && !page.tab.dialog && (activity.navigating || !isInteractive(page)))
    await change(page, NAVIGATION_MS_MAX);
  const interactiveAt = performance.now();
  while (page.tab.isOpen && !page.tab.dialog && !activity.document?.loaded) {
    const left = SETTLE_MS_MAX - (performance.now() - interactiveAt);
    if (left <= 0) return false;
    await change(page, left);
  }
  return true;
}

/** In words, what keeps the page: a server that has not answered yet. */
export function answerAwaited({ tab }: Page): string | undefined {
  const { awaitedUrl } = tab.activity;
  if (awaitedUrl === undefined) return undefined;
  return `an answer from ${spelledOut(cut(withoutUserinfo(awaitedUrl), URL_LENGTH_MAX))}`;
}

/** Whether the document can be worked with. */
export function isInteractive({ tab }: Page): boolean {
  return tab.activity.document?.interactive === true;
}

/** The next change of the tab's activity, or the end of the time. */
export async function change(page: Page, timeMs: number): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), Math.max(0, timeMs));
  try {
    await page.during(page.tab.activity.changed(waiting.signal), { dialogInterrupts: false });
  } catch (error) {
    // That the tab was closed meanwhile is for whoever looks at it next.
    if (page.tab.isOpen) throw error;
  } finally {
    clearTimeout(timer);
    waiting.abort();
  }
}
