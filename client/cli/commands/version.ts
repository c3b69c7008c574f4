// `troupe version` prints this client's version. `troupe status` shows the daemon's.
import { VERSION } from "../../../proto/machine/version.ts";
import { EXIT } from "../../connection/exit-code.ts";
import type { CommandDefinition } from "../terminal/command.ts";

export const version: CommandDefinition = {
  usage: "version",
  summary: "show the version of this client; `troupe status` shows the daemon's",
  json: true,
  examples: ["troupe version", "troupe version --json"],
  run: async ({ flags, print }) => {
    print(`${flags.json ? JSON.stringify({ version: VERSION }) : VERSION}\n`);
    return EXIT.ok;
  },
};
