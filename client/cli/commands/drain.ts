// `troupe drain` ends a daemon in order.
import { counted } from "../../../proto/text/counted.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { showReply } from "./ask-daemon.ts";

export const drain: CommandDefinition = {
  usage: "drain",
  summary: "let the daemon finish the calls under way, then end",
  json: true,
  examples: ["troupe drain", "troupe drain --json"],
  run: (invocation) =>
    showReply(
      invocation,
      "Drain",
      {},
      ({ calls }) => `Draining: ${counted(calls, "call")} under way, no new ones are taken.`,
    ),
};
