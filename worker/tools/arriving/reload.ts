// browser_reload: loads the page anew and shows it.
import { reload as again } from "../../actions/navigation.ts";
import type { ToolHandler } from "../tool.ts";
import { tellArrival } from "./navigate.ts";

export const reload: ToolHandler<"Reload"> = async (_request, { page }) => {
  const shown = await page();
  const arrival = await again(shown);
  return { finalUrl: arrival.finalUrl, text: await tellArrival("Reloaded", shown, arrival) };
};
