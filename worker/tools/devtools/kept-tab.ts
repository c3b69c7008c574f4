// Finds the tab whose record a tool reads. The page is not asked, so nothing waits for it.
import { Page } from "../../tab/page.ts";
import type { ToolContext } from "../tool.ts";

/** Returns the named tab, or the session's current one. Undefined if none is open. Throws UNKNOWN_TAB. */
export async function keptTab(
  named: string | undefined,
  { session, call }: ToolContext,
): Promise<Page | undefined> {
  const tab = named === undefined ? session.tabs.get() : await session.tabNamed(named);
  return tab && new Page(tab, call);
}
