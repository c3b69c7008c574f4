// `troupe restart ROLE` gives a role a new worker and browser.

import type { CommandDefinition } from "../terminal/command.ts";
import { showReply } from "./ask-daemon.ts";

export const restart: CommandDefinition = {
  usage: "restart <role>",
  summary: "restart a role's worker and browser, and wait until it takes calls",
  json: true,
  examples: ["troupe restart customer", "troupe restart customer --json"],
  run: async (invocation) => {
    const { roleTable } = await import("../terminal/role-table.ts");
    const [name = ""] = invocation.words;
    return showReply(invocation, "RestartRole", { name }, ({ role }) => roleTable(role ? [role] : []));
  },
};
