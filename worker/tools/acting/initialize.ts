// browser_initialize: opens the session's tab. By then the role's browser runs.
import { pageLine } from "../../snapshot/reply.ts";
import type { ToolHandler } from "../tool.ts";

export const initialize: ToolHandler<"Initialize"> = async (_request, { page, call }) => {
  const shown = await page();
  await shown.tab.readTitle();
  return { text: [`The browser of role ${call.role} is ready.`, pageLine(shown)].join("\n") };
};
