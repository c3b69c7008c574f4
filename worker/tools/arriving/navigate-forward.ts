// browser_navigate_forward: goes forward in the tab's history and shows the page.
import { navigateForward as forward } from "../../actions/navigation.ts";
import type { ToolHandler } from "../tool.ts";
import { tellArrival } from "./navigate.ts";

export const navigateForward: ToolHandler<"NavigateForward"> = async (_request, { page }) => {
  const shown = await page();
  const arrival = await forward(shown);
  return { finalUrl: arrival.finalUrl, text: await tellArrival("Went forward to", shown, arrival) };
};
