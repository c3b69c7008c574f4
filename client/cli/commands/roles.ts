// `troupe roles` lists all roles with their workers.

import type { CommandDefinition } from "../terminal/command.ts";
import { showReply } from "./ask-daemon.ts";

export const roles: CommandDefinition = {
  usage: "roles",
  summary: "list the roles and their workers",
  json: true,
  examples: ["troupe roles", "troupe roles --json"],
  run: async (invocation) => {
    const { roleTable } = await import("../terminal/role-table.ts");
    return showReply(invocation, "ListRoles", {}, (reply) => roleTable(reply.roles));
  },
};
