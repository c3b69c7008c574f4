// Defines what a command of the command line is. Each command has its own file in commands/.
import type { ReadStream, WriteStream } from "node:tty";
import type { Surroundings } from "../../../proto/machine/locations.ts";
import type { CommonFlags } from "../../connection/discovery.ts";
import type { ExitCode } from "../../connection/exit-code.ts";

/** The parts of the process that a command may touch. */
export interface World extends Pick<Surroundings, "cwd" | "env"> {
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  complain(text: string): void;
  /** The terminal behind standard output. Absent if a program reads the output. */
  terminal?: Terminal | undefined;
}

export interface Terminal {
  output: WriteStream;
  /** The keys of the person. Undefined if standard input is no terminal. */
  input: ReadStream | undefined;
}

export interface Invocation extends World {
  /** The arguments that are not flags. */
  words: string[];
  flags: CommonFlags & Record<string, string | boolean | undefined>;
  /** Each `--role` with all values that followed it, for commands that take it so. */
  roles: { current: string | undefined; definitions: string[][] };
}

export interface CommandDefinition {
  /** The usage in commander's form: `failures <role>`. */
  usage: string;
  summary: string;
  /** Flags beside the common ones. */
  options?: readonly (readonly [flags: string, description: string])[];
  /** All flags of a command that has none of the common ones. */
  ownOptions?: readonly (readonly [flags: string, description: string])[];
  /** The command supports --json. */
  json: boolean;
  examples: readonly string[];
  /** The help for these words, in place of the command's own. Throws a CommandError. */
  helpFor?(words: readonly string[]): string | undefined;
  run(invocation: Invocation): Promise<ExitCode>;
}

/** Returns a command's name and the words that follow it, as its usage has them. */
export function nameAndWords({ usage }: CommandDefinition): [name: string, ...words: string[]] {
  const [name = "", ...words] = usage.split(" ");
  return [name, ...words];
}
