// browser_handle_dialog: the answer to an open dialog, and what it held up.
import { fail, isTroupeError } from "../../proto/errors.ts";
import { finish } from "../navigation.ts";
import { Page } from "../page.ts";
import { changesSince, dialogLine, wholePage } from "../reply.ts";
import { markOf, settled } from "../settle.ts";
import type { ToolHandler } from "../tool.ts";

export const handleDialog: ToolHandler<"HandleDialog"> = async (
  { accept = false, promptText, tab: id },
  { session, call },
) => {
  const tab = session.openCurrentTab(id);
  if (!tab?.dialog) throw fail("NO_DIALOG", { tab: id ?? session.currentId ?? "the current tab" });
  const page = new Page(tab, call);
  const { type, text } = tab.dialog;
  const before = tab.told.look;
  const mark = markOf(page);
  const held = tab.heldNavigation;
  const answer = tab.client.send("Page.handleJavaScriptDialog", {
    accept,
    ...(promptText !== undefined && { promptText }),
  });
  await page.during(answer, { dialogInterrupts: false });
  const said = `${accept ? "Accepted" : "Dismissed"} the ${type} ${JSON.stringify(text)}`;
  return { text: [said, await whatFollows()].join("\n"), shown: page };

  async function whatFollows(): Promise<string> {
    try {
      if (held && (await goesOn(page, held))) {
        await finish(page, mark);
        return await wholePage(page);
      }
      await settled(page, mark);
      if (tab?.dialog) return dialogLine(tab.dialog);
      return await changesSince(page, before);
    } catch (error) {
      // The next dialog of a row: the answer to this one was given all the same.
      if (isTroupeError(error) && error.type === "DIALOG_OPEN" && tab?.dialog) return dialogLine(tab.dialog);
      throw error;
    }
  }
};

/** Whether the navigation that the dialog held up goes on; dismissed, the page stays. */
async function goesOn(page: Page, held: Promise<unknown>): Promise<boolean> {
  try {
    await page.during(held);
    return true;
  } catch (error) {
    if (isTroupeError(error) && error.type === "NAVIGATION_FAILED") {
      page.tab.heldNavigation = undefined;
      return false;
    }
    throw error;
  }
}
