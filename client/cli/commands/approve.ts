// `troupe approve [ID]` lists the actions of agents that wait for a person. With an id it lets one go on or refuses it.
import type { Approval } from "../../../proto/gen/troupe.ts";
import { usageError } from "../../connection/exit-code.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { span, table } from "../terminal/table.ts";
import { showReply } from "./ask-daemon.ts";

export const approve: CommandDefinition = {
  usage: "approve [id]",
  summary: "list the actions that wait for a person; with an id, let that one go on",
  options: [
    ["--deny", "with an id: refuse it"],
    ["--role <name>", "list only what waits in this role"],
  ],
  json: true,
  examples: [
    "troupe approve",
    "troupe approve 5f0c2a91",
    "troupe approve 5f0c2a91 --deny",
    "troupe approve --role customer --json",
  ],
  run: async (invocation) => {
    const { words, flags } = invocation;
    const [id] = words;
    const role = typeof flags.role === "string" ? { role: flags.role } : {};
    if (id === undefined) {
      if (flags.deny) throw usageError("--deny takes the action's id: troupe approve ID --deny");
      return showReply(invocation, "ListApprovals", role, ({ approvals }) =>
        waitingText(approvals, Date.now()),
      );
    }
    if (flags.role !== undefined) throw usageError("--role means nothing with an id");
    const deny = flags.deny === true;
    return showReply(
      invocation,
      "DecideApproval",
      { id, deny },
      ({ approval }) => `${deny ? "Denied" : "Approved"}: ${approval?.what}`,
    );
  },
};

/** Prints one line for each action. */
function waitingText(approvals: readonly Approval[], nowMs: number): string {
  if (approvals.length === 0) return "Nothing waits for a person.";
  const rows = approvals.map(({ id, role, client, session, what, page, askedAt, endsAt }) => [
    id,
    role,
    `${client}/${session}`,
    what,
    page,
    askedAt ? `${span(nowMs - askedAt.seconds * 1000)} ago` : "",
    endsAt ? `in ${span(endsAt.seconds * 1000 - nowMs)}` : "",
  ]);
  return table(["id", "role", "session", "waits", "page", "asked", "refused"], rows);
}
