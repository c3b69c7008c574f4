// `troupe tools` prints the catalogue of tools. It needs no daemon.

import { PROFILES, profileNamed, toolsOf } from "../../../proto/tools/read-tools.ts";
import { toolList } from "../../../proto/tools/tool-list.ts";
import { EXIT, usageError } from "../../connection/exit-code.ts";
import type { CommandDefinition } from "../terminal/command.ts";
import { table } from "../terminal/table.ts";

export const tools: CommandDefinition = {
  usage: "tools",
  summary: "list the tools",
  options: [["--profile <profile>", "those of small, core, full or debug (default: all)"]],
  json: true,
  examples: ["troupe tools", "troupe tools --profile core", "troupe tools --json"],
  run: async ({ flags, print }) => {
    const given = flags.profile === undefined ? "debug" : String(flags.profile);
    const profile = profileNamed(given);
    if (!profile) {
      throw usageError(`there is no profile ${JSON.stringify(given)}; there are ${PROFILES.join(", ")}`);
    }
    if (flags.json) print(`${JSON.stringify({ tools: toolList(profile) }, null, 2)}\n`);
    else print(`${toolTable(toolsOf(profile))}\n`);
    return EXIT.ok;
  },
};

function toolTable(shown: ReturnType<typeof toolsOf>): string {
  const rows = shown.map((tool) => [
    tool.name,
    tool.profile,
    tool.arguments.map(({ name, required }) => (required ? name : `[${name}]`)).join(" "),
    tool.description,
  ]);
  return table(["tool", "profile", "arguments", "what it does"], rows);
}
