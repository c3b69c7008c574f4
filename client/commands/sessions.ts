// `troupe sessions`: who uses which roles, with which tabs.
import type { Session } from "../../proto/gen/troupe.ts";
import { showReply } from "../ask-daemon.ts";
import type { CommandDefinition } from "../command.ts";
import { span, table } from "../table.ts";

export const sessions: CommandDefinition = {
  usage: "sessions",
  summary: "list the sessions with their tabs",
  options: [["--role <name>", "only those that use this role"]],
  json: true,
  examples: ["troupe sessions", "troupe sessions --role customer", "troupe sessions --json"],
  run: (invocation) => {
    const { role } = invocation.flags;
    const request = typeof role === "string" ? { role } : {};
    return showReply(invocation, "ListSessions", request, (reply) =>
      sessionsText(reply.sessions, Date.now()),
    );
  },
};

/** A line for each session, and its tabs below. */
function sessionsText(all: readonly Session[], nowMs: number): string {
  if (all.length === 0) return "No sessions.";
  const rows = all.map((each) => [
    each.id,
    each.client,
    each.currentRole,
    each.roles.map(({ role, tabs }) => `${role} (${tabs.length})`).join(", "),
    each.usedAt ? `${span(nowMs - each.usedAt.seconds * 1000)} ago` : "",
  ]);
  const tabs = all.flatMap(({ id, roles }) =>
    roles.flatMap(({ role, tabs }) =>
      tabs.map((tab) => [
        id,
        role,
        tab.current ? `${tab.id} (current)` : tab.id,
        JSON.stringify(tab.title),
        tab.url,
      ]),
    ),
  );
  return [
    table(["session", "client", "current role", "roles (tabs)", "used"], rows),
    ...(tabs.length > 0 ? ["", table(["session", "role", "tab", "title", "url"], tabs)] : []),
  ].join("\n");
}
