// browser_handle_dialog: answers an open dialog and finishes the call that it held up.
import { fail } from "../../../proto/errors/catalogue.ts";
import { goOn } from "../../actions/go-on.ts";
import { quote } from "../../snapshot/quote.ts";
import { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";

export const handleDialog: ToolHandler<"HandleDialog"> = async (
  { accept = false, promptText, tab: id },
  { session, call },
) => {
  const dialog = session.tabs.get(id)?.dialog;
  const tab = session.tabs.get(dialog?.tab);
  if (!dialog || !tab) throw fail("NO_DIALOG", { tab: id ?? session.tabs.currentId ?? "the current tab" });
  const page = new Page(tab, call);
  const { type, text } = dialog;
  const release = async () => {
    // The page stays, so the navigation that asked is over.
    if (type === "beforeunload" && !accept) tab.navigation.failed();
    await answer(page, accept, promptText);
  };
  return await goOn(
    page,
    session,
    release,
    () => `${accept ? "Accepted" : "Dismissed"} the ${type} ${quote(text)}`,
  );
};

/** Sends the answer. Throws NO_DIALOG if the page has just closed the dialog itself. */
async function answer(page: Page, accept: boolean, promptText: string | undefined): Promise<void> {
  const sent = page.tab.client.send("Page.handleJavaScriptDialog", {
    accept,
    ...(promptText !== undefined && { promptText }),
  });
  try {
    await page.during(sent, { haltInterrupts: false });
  } catch (error) {
    if (!(error instanceof Error && /No dialog is showing/.test(error.message))) throw error;
    throw fail("NO_DIALOG", { tab: page.tab.id }, error);
  }
}
