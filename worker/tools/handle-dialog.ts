// browser_handle_dialog: answers an open dialog and finishes the call that it held up.
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { finish } from "../actions/navigation.ts";
import { consequences } from "../actions/perform.ts";
import { react, settled } from "../actions/settle.ts";
import { dialogLine } from "../snapshot/notes.ts";
import { quote } from "../snapshot/quote.ts";
import { wholePage } from "../snapshot/reply.ts";
import { Page } from "../tab/page.ts";
import type { ToolHandler } from "./tool.ts";

export const handleDialog: ToolHandler<"HandleDialog"> = async (
  { accept = false, promptText, tab: id },
  { session, call },
) => {
  const dialog = session.tabs.get(id)?.dialog;
  const tab = session.tabs.get(dialog?.tab);
  if (!dialog || !tab) throw fail("NO_DIALOG", { tab: id ?? session.tabs.currentId ?? "the current tab" });
  const page = new Page(tab, call);
  const { type, text } = dialog;
  const before = tab.delivered.snapshot;
  const tabsBefore = new Set(session.tabs.open);
  using reaction = react(page, { resumes: true });
  const said = `${accept ? "Accepted" : "Dismissed"} the ${type} ${quote(text)}`;
  // The page stays, so the navigation that asked is over.
  if (type === "beforeunload" && !accept) tab.navigation.failed();
  await answer(page, accept, promptText);
  try {
    if (tab.navigation.held) {
      await page.during(tab.navigation.held);
      await finish(page, reaction);
      return { text: await wholePage(page, [said]), shown: page };
    }
    await settled(page, reaction);
    return await consequences(page, session, { said, before, tabsBefore });
  } catch (error) {
    // The page opened its next dialog. The answer to this one was still given.
    if (isTroupeError(error) && error.type === "DIALOG_OPEN" && tab.dialog)
      return { text: [said, dialogLine(tab.dialog)].join("\n"), shown: page };
    tab.navigation.ended();
    throw error;
  }
};

/** Sends the answer. Throws NO_DIALOG if the page has just closed the dialog itself. */
async function answer(page: Page, accept: boolean, promptText: string | undefined): Promise<void> {
  const sent = page.tab.client.send("Page.handleJavaScriptDialog", {
    accept,
    ...(promptText !== undefined && { promptText }),
  });
  try {
    await page.during(sent, { dialogInterrupts: false });
  } catch (error) {
    if (!(error instanceof Error && /No dialog is showing/.test(error.message))) throw error;
    throw fail("NO_DIALOG", { tab: page.tab.id }, error);
  }
}
