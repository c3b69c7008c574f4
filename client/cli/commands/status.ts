// `troupe status` shows the daemon at a glance.

import type { GetStatusResponse } from "../../../proto/gen/troupe.ts";
import { counted } from "../../../proto/text/counted.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { span, table } from "../terminal/table.ts";
import { showReply } from "./ask-daemon.ts";

export const status: CommandDefinition = {
  usage: "status",
  summary: "show the daemon: version, addresses, roles, warnings",
  json: true,
  examples: ["troupe status", "troupe status --json", "troupe status --address 127.0.0.1:7420"],
  run: async (invocation) => {
    const { roleTable } = await import("../terminal/role-table.ts");
    return showReply(invocation, "GetStatus", {}, (reply) =>
      statusText(reply, roleTable(reply.roles), Date.now()),
    );
  },
};

/** Shows how the errors of the last 24 hours ended, by type. */
function recoveryLines(rates: GetStatusResponse["recovery"]): string[] {
  if (rates.length === 0) return [];
  const rows = rates.map(({ type, recovered, repeated, abandoned }) => {
    const all = recovered + repeated + abandoned;
    return [type, `${recovered} of ${all}`, `${Math.round((100 * recovered) / all)}%`, repeated, abandoned];
  });
  return ["", table(["errors of 24 h", "recovered", "rate", "repeated", "abandoned"], rows)];
}

function configText({ configFile, configReadAt, configProblems }: GetStatusResponse, nowMs: number): string {
  const readMs = configReadAt ? nowMs - configReadAt.seconds * 1000 : 0;
  const state = configProblems.length > 0 ? "; what is in it now is not valid, see below" : "";
  return configFile ? `${configFile}, read ${span(readMs)} ago${state}` : "none";
}

/** A session may hibernate in one role and be awake in another. */
function restingText(roles: GetStatusResponse["roles"]): string {
  const count = (of: "sessions" | "resting") => roles.reduce((sum, role) => sum + role[of], 0);
  return count("resting") > 0 ? ` (${count("sessions")} awake, ${count("resting")} resting)` : "";
}

function placesOf(reply: GetStatusResponse, nowMs: number): string[][] {
  return [
    ["gRPC", reply.addresses.join(", ") || "none"],
    ["HTTP", reply.http.join(", ") || "off"],
    ["config", configText(reply, nowMs)],
    ["state", reply.stateDir],
  ];
}

/** Prints the status as lines. `roles`: the table of roles. */
function statusText(reply: GetStatusResponse, roles: string, nowMs: number): string {
  const upMs = reply.startedAt ? nowMs - reply.startedAt.seconds * 1000 : 0;
  // The daemon sends neither addresses nor folders to a client that may not see other clients.
  const isWhole = reply.stateDir !== "";
  const facts = [
    [
      "troupe",
      `${reply.version}, process ${reply.pid}, up ${span(upMs)}${reply.draining ? ", DRAINING" : ""}`,
    ],
    ...(isWhole ? placesOf(reply, nowMs) : [["more", "this token's control does not let it see"]]),
    [
      "use",
      `${counted(reply.sessions, "session")}${restingText(reply.roles)}, ${counted(reply.callsUnderWay, "call")} under way`,
    ],
  ].map(([name, value]) => `${name?.padEnd(8)}${value}`);
  const warnings =
    reply.warnings.length > 0 ? ["", "Warnings:", ...reply.warnings.map((each) => `- ${each}`)] : [];
  const problems =
    reply.configProblems.length > 0
      ? ["", "Not valid, so that the configuration of before holds:", ...reply.configProblems]
      : [];
  return [...facts, "", roles, ...recoveryLines(reply.recovery), ...problems, ...warnings].join("\n");
}
