// Waits for a tab's document to become interactive, then complete.
import { cut, spelledOut, withoutUserinfo } from "../../proto/text/quote.ts";
import type { DocumentLoad } from "../activity/main-frame.ts";
import { type Reaction, SETTLE_MS_MAX } from "../activity/reaction.ts";
import type { Page } from "./page.ts";

/**
 * The bound for a document that an action leads to. It is longer, because nothing can be done before the document is
 * there.
 */
export const NAVIGATION_MS_MAX = 10_000;
/** A document that has begun to come is complete enough for work after this. */
const INTERACTIVE_MS_MAX = 5_000;
/** A page that has led to this many documents in a row is taken to do so for ever. */
const DOCUMENTS_MAX = 10;
const URL_LENGTH_MAX = 200;

/**
 * Waits until the document is complete. Returns false if it has been interactive for as long as an action may take to
 * settle.
 */
export async function loaded(page: Page, reaction?: Reaction): Promise<boolean> {
  const { activity } = page.tab;
  page.call.waitsFor = answerAwaited(page) ?? "the page to load";
  while (page.tab.isOpen && !page.tab.halt && isArriving(page)) {
    if (reaction && stopIfEndless(page, reaction)) return false;
    await change(page, arrivalMsMax(page));
  }
  const interactiveAt = performance.now();
  while (page.tab.isOpen && !page.tab.halt && !activity.document?.loaded) {
    const left = SETTLE_MS_MAX - (performance.now() - interactiveAt);
    if (left <= 0 || !activity.document?.interactive) return false;
    await change(page, left);
  }
  return true;
}

/** Stops a page that leads to one document after the other without end. Returns true if it was stopped. */
export function stopIfEndless({ tab }: Page, { documents }: Pick<Reaction, "documents">): boolean {
  if (documents < DOCUMENTS_MAX || !tab.activity.navigating) return false;
  tab.unreported.note({ stopped: true });
  tab.navigation.giveUp();
  return true;
}

/** Returns true if another document is on its way, or if the present one is not ready for work yet. */
export function isArriving({ tab: { activity } }: Page): boolean {
  const { navigating, document } = activity;
  return navigating || !document || !(document.interactive || overdueInMs(document) <= 0);
}

/** Returns how long to wait for the next change of a page that arrives. */
export function arrivalMsMax({ tab: { activity } }: Page): number {
  const { navigating, document } = activity;
  return navigating || !document ? NAVIGATION_MS_MAX : overdueInMs(document);
}

/** After this time, a document is ready for work even if a missing script blocks its parser. */
function overdueInMs({ committedAtMs }: DocumentLoad): number {
  return committedAtMs + INTERACTIVE_MS_MAX - performance.now();
}

/** Says in words that the page waits for a server's answer. */
export function answerAwaited({ tab }: Page): string | undefined {
  const { awaitedUrl } = tab.activity.main;
  if (awaitedUrl === undefined) return undefined;
  return `an answer from ${spelledOut(cut(withoutUserinfo(awaitedUrl), URL_LENGTH_MAX))}`;
}

/** Waits for the next change of the tab's activity, or until the time is up. */
export async function change(page: Page, timeMs: number): Promise<void> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), Math.max(0, timeMs));
  try {
    await page.during(page.tab.activity.changed(waiting.signal), { haltInterrupts: false });
  } catch (error) {
    // If the tab was closed meanwhile, the caller's next question reports it.
    if (page.tab.isOpen) throw error;
  } finally {
    clearTimeout(timer);
    waiting.abort();
  }
}
