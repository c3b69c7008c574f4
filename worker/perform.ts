// An action from beginning to end: done with real input, waited for, and told by what changed as a consequence.
import { isTroupeError } from "../proto/errors.ts";
import { Page } from "./page.ts";
import { changesSince, dialogLine, lookIfPossible, wholePage } from "./reply.ts";
import type { Session } from "./session.ts";
import { markOf, settled } from "./settle.ts";
import type { Tab } from "./tab.ts";
import type { Look } from "./told.ts";

/** What an action did, in words: `Clicked e5 button "Add to cart"`. */
export interface Done<T> {
  said: string;
  result: T;
}

/**
 * Runs an action and tells what came of it. The action resolves when its input has been sent; a dialog, a new document
 * or the tab's end that it leads to is its consequence, not its failure.
 */
export async function perform<T>(
  page: Page,
  session: Session,
  action: () => Promise<Done<T>>,
): Promise<{ text: string; result: T; page: Page }> {
  const { tab } = page;
  if (tab.dialog) throw tab.dialogError();
  const before = tab.told.look ?? (await lookIfPossible(page));
  const tabsBefore = new Set(session.tabs);
  const mark = markOf(page);
  const { said, result } = await action();
  await settled(page, mark);
  const { text, shown } = await consequences(page, session, before, tabsBefore);
  return { text: [said, text].join("\n"), result, page: shown };
}

const STILL_LEAVING =
  "Another page is on its way, but its server has not answered yet; browser_snapshot waits for it.";

/** Runs input whose answer may never come: a dialog that it opens, or the tab that it closes, ends the wait. */
export async function sendInput(page: Page, send: () => Promise<void>): Promise<void> {
  const open = page.tab.dialog;
  try {
    await send();
  } catch (error) {
    const byDialog = isTroupeError(error) && error.type === "DIALOG_OPEN" && !open && page.tab.dialog;
    if (!byDialog && page.tab.isOpen) throw error;
  }
}

/** What came of an action in the page, once that is settled: a new tab, the tab's end, a dialog, changes. */
export async function consequences(
  page: Page,
  session: Session,
  before: Look | undefined,
  tabsBefore: ReadonlySet<Tab>,
): Promise<{ text: string; shown: Page }> {
  const newest = session.tabs.filter((each) => !tabsBefore.has(each)).at(-1);
  if (newest?.isOpen) {
    const shown = new Page(newest, page.call);
    await settled(shown, { started: 0 });
    await newest.readTitle();
    const told = newest.dialog ? dialogLine(newest.dialog) : await wholePage(shown);
    return { text: `Opened tab ${newest.id}, which is the current one now.\n${told}`, shown };
  }
  if (!page.tab.isOpen) {
    const shown = new Page(await session.currentTab(), page.call);
    await shown.tab.readTitle();
    return { text: `The tab ${page.tab.id} was closed.\n${await wholePage(shown)}`, shown };
  }
  if (page.tab.dialog) return { text: dialogLine(page.tab.dialog), shown: page };
  if (page.tab.activity.navigating) return { text: STILL_LEAVING, shown: page };
  await page.tab.readTitle();
  try {
    return { text: await changesSince(page, before), shown: page };
  } catch (error) {
    // The page asked something just as it was being looked at.
    if (isTroupeError(error) && error.type === "DIALOG_OPEN" && page.tab.dialog)
      return { text: dialogLine(page.tab.dialog), shown: page };
    throw error;
  }
}
