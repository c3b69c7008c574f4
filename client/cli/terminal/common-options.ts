// The flags that commands share.
import type { CommandDefinition } from "./command.ts";

const COMMON_OPTIONS = [
  [
    "--address <address>",
    "the daemon: unix:PATH or HOST:PORT (TROUPE_ADDRESS; default: found by the state folder)",
  ],
  ["--config <file>", "the configuration (TROUPE_CONFIG; default: troupe.yaml here or in a parent folder)"],
  ["--ca <file>", "the authority of the daemon's certificate, PEM (TROUPE_CA; default: those of the system)"],
  ["--cert <file>", "this client's certificate, PEM (TROUPE_CERT); a token: TROUPE_TOKEN, TROUPE_TOKEN_FILE"],
  ["--key <file>", "the key of this client's certificate, PEM (TROUPE_KEY)"],
  ["--state-dir <dir>", "the state folder (TROUPE_STATE_DIR; default: one for each configuration)"],
] as const;
const JSON_OPTION = ["--json", "machine-readable output"] as const;

/** Returns all flags of a command, each in commander's form and with its description. */
export function optionsOf({
  options = [],
  ownOptions,
  json,
}: CommandDefinition): readonly (readonly [flags: string, description: string])[] {
  return ownOptions ?? [...options, ...COMMON_OPTIONS, ...(json ? [JSON_OPTION] : [])];
}
