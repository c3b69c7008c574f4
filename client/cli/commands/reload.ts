// `troupe reload` makes the daemon read its configuration again, and says what changed.
import type { ReloadConfigResponse } from "../../../proto/gen/troupe.ts";
import { oneLine } from "../../../proto/text/quote.ts";
import { EXIT } from "../../connection/exit-code.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { showReply } from "./ask-daemon.ts";

export const reload: CommandDefinition = {
  usage: "reload",
  summary: "make the daemon read its configuration again; a wrong one changes nothing (exit code 78)",
  json: true,
  examples: ["troupe reload", "troupe reload --json"],
  run: (invocation) =>
    showReply(invocation, "ReloadConfig", {}, reloadText, ({ problems }) =>
      problems.length > 0 ? EXIT.configuration : EXIT.ok,
    ),
};

/** Prints one line for each kind of change, or the problems. */
function reloadText(reply: ReloadConfigResponse): string {
  const { configFile, problems, added, removed, changed, restarting, applied, later } = reply;
  if (problems.length > 0)
    return [
      "The configuration is not valid, so nothing changed:",
      ...problems.map(oneLine),
      "What to do: mend the file, then run troupe reload again.",
    ].join("\n");
  if (!configFile) return "The daemon has no configuration file, so nothing changed.";
  const kept = changed.filter((name) => !restarting.includes(name));
  const lines = [
    ["new roles", added],
    ["removed roles", removed],
    ["changed roles, which restart", restarting],
    ["changed roles, which go on", kept],
    ["in effect now", applied],
    ["in effect from the daemon's next start", later],
  ] as const;
  const said = lines
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${names.join(", ")}`);
  return [`${configFile} was read again.`, ...(said.length > 0 ? said : ["Nothing is different."])].join(
    "\n",
  );
}
