// browser_navigate_back: goes back in the tab's history and shows the page.
import { navigateBack as back } from "../../actions/navigation.ts";
import type { ToolHandler } from "../tool.ts";
import { tellArrival } from "./navigate.ts";

export const navigateBack: ToolHandler<"NavigateBack"> = async (_request, { page, session }) => {
  const shown = await page();
  const opener = session.tabs.openerOf(shown.tab)?.id;
  const arrival = await back(shown, opener);
  return { finalUrl: arrival.finalUrl, text: await tellArrival("Went back to", shown, arrival) };
};
