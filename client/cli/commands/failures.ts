// `troupe failures ROLE` shows or clears a role's failures.
import { failuresText } from "../../../proto/text/failures-text.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { showReply } from "./ask-daemon.ts";

export const failures: CommandDefinition = {
  usage: "failures <role>",
  summary: "show what went wrong in a role: login, frames, crashes",
  options: [["--clear", "forget them; a login that is missing still is told again"]],
  json: true,
  examples: [
    "troupe failures customer",
    "troupe failures customer --json",
    "troupe failures customer --clear",
  ],
  run: async (invocation) => {
    const [role = ""] = invocation.words;
    if (invocation.flags.clear)
      return showReply(
        invocation,
        "ClearFailures",
        { role },
        () => `The failures of role ${role} are cleared.`,
      );
    return showReply(invocation, "GetFailures", { role }, (reply) => failuresText(role, reply.failures));
  },
};
