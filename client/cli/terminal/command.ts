// What a command of the command line is; each stands in a file of its own in commands/.
import type { Surroundings } from "../../../proto/machine/locations.ts";
import type { CommonFlags } from "../../connection/discovery.ts";
import type { ExitCode } from "../../connection/exit-code.ts";

/** What a command may touch. */
export interface World extends Pick<Surroundings, "cwd" | "env"> {
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  complain(text: string): void;
}

/** What a command is given. */
export interface Invocation extends World {
  /** The arguments that are no flags. */
  words: string[];
  flags: CommonFlags & Record<string, string | boolean | undefined>;
  /** `--role` with all that followed it, where the command takes it so. */
  roles: { current: string | undefined; definitions: string[][] };
}

export interface CommandDefinition {
  /** As commander reads it: `failures <role>`. */
  usage: string;
  summary: string;
  /** Further flags beside the common ones. */
  options?: readonly (readonly [flags: string, description: string])[];
  /** Whether --json means anything to it. */
  json: boolean;
  examples: readonly string[];
  run(invocation: Invocation): Promise<ExitCode>;
}
