// When a tab's document is there: interactive, and complete.
import { cut, spelledOut, withoutUserinfo } from "../../proto/text/quote.ts";
import type { DocumentLoad } from "../activity/activity.ts";
import { type Reaction, SETTLE_MS_MAX } from "../activity/reaction.ts";
import type { Page } from "./page.ts";

/** A document that an action leads to is waited for longer: nothing can be done before it is there. */
export const NAVIGATION_MS_MAX = 10_000;
/** A document that has begun to come is whole enough to be worked with after this. */
const INTERACTIVE_MS_MAX = 5_000;
/** A page that has led to so many documents, one after the other, leads to another one for ever. */
const DOCUMENTS_MAX = 10;
const URL_LENGTH_MAX = 200;

/** Waits until the document is complete; false where it has been interactive for as long as an action may take to settle. */
export async function loaded(page: Page, reaction?: Reaction): Promise<boolean> {
  const { activity } = page.tab;
  page.call.waitsFor = answerAwaited(page) ?? "the page to load";
  while (page.tab.isOpen && !page.tab.dialog && isArriving(page)) {
    if (reaction && stopIfEndless(page, reaction)) return false;
    await change(page, arrivalMsMax(page));
  }
  const interactiveAt = performance.now();
  while (page.tab.isOpen && !page.tab.dialog && !activity.document?.loaded) {
    const left = SETTLE_MS_MAX - (performance.now() - interactiveAt);
    if (left <= 0 || !activity.document?.interactive) return false;
    await change(page, left);
  }
  return true;
}

/** A page that leads to one document after the other, without end, stays at the last. True where it was stopped. */
export function stopIfEndless({ tab }: Page, { documents }: Pick<Reaction, "documents">): boolean {
  if (documents < DOCUMENTS_MAX || !tab.activity.navigating) return false;
  tab.activity.isStopped = true;
  tab.giveUpLoading();
  return true;
}

/** Whether another document is on its way, or the one that is shown cannot be worked with yet. */
export function isArriving({ tab: { activity } }: Page): boolean {
  const { navigating, document } = activity;
  return navigating || !document || !(document.interactive || overdueInMs(document) <= 0);
}

/** How long it makes sense to wait for the next change of a page that arrives. */
export function arrivalMsMax({ tab: { activity } }: Page): number {
  const { navigating, document } = activity;
  return navigating || !document ? NAVIGATION_MS_MAX : overdueInMs(document);
}

/** A document whose parser is held up by a script that does not come is worked with as it is. */
function overdueInMs({ committedAtMs }: DocumentLoad): number {
  return committedAtMs + INTERACTIVE_MS_MAX - performance.now();
}

/** In words, what keeps the page: a server that has not answered yet. */
export function answerAwaited({ tab }: Page): string | undefined {
  const { awaitedUrl } = tab.activity;
  if (awaitedUrl === undefined) return undefined;
  return `an answer from ${spelledOut(cut(withoutUserinfo(awaitedUrl), URL_LENGTH_MAX))}`;
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
