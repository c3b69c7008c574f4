// `troupe failures ROLE` shows or clears a role's failures.
import type { FailureLog } from "../../../proto/gen/troupe.ts";
import { redactedText } from "../../../proto/text/redact.ts";
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
    const { timeText } = await import("../../../proto/wire/proto-json.ts");
    const [role = ""] = invocation.words;
    if (invocation.flags.clear)
      return showReply(
        invocation,
        "ClearFailures",
        { role },
        () => `The failures of role ${role} are cleared.`,
      );
    return showReply(invocation, "GetFailures", { role }, (reply) =>
      failuresText(role, reply.failures, (time) => timeText(time) ?? "unknown time"),
    );
  },
};

type Time = FailureLog["incidents"][number]["timestamp"];

/** Prints one line for each failure, oldest first within each kind. */
function failuresText(role: string, log: FailureLog | null, at: (time: Time) => string): string {
  const { authLoadError: auth, frameDiscoveryError: discovery } = log ?? {};
  const lines = [
    ...(auth ? [`${at(auth.timestamp)} login: ${auth.error} (${auth.authPath})`] : []),
    ...(discovery ? [`${at(discovery.timestamp)} frames: ${discovery.error}`] : []),
    ...(log?.frameInjectionFailures ?? []).map(
      (each) =>
        `${at(each.timestamp)} frame ${each.frameId} not reachable (${each.reason}): ${each.error} ${each.url}`,
    ),
    ...(log?.frameExpansionFailures ?? []).map(
      (each) =>
        `${at(each.timestamp)} frame of ${each.ref} left out${each.detached ? " (it was gone)" : ""}: ${each.error}`,
    ),
    ...(log?.cleanupErrors ?? []).map(
      (each) => `${at(each.timestamp)} clean-up, ${each.step}: ${each.error}`,
    ),
    ...(log?.incidents ?? []).map((each) => `${at(each.timestamp)} ${each.kind}: ${each.error}`),
  ];
  return lines.length > 0
    ? lines.map((line) => redactedText(line)).join("\n")
    : `No failures in role ${role}.`;
}
