/** The options of `npm run bench:recovery`. */
import { type Problem, readArguments } from "../harness/arguments.ts";

export interface Options {
  help: boolean;
  /** Words that a fault's type or name must contain. */
  only: string[];
}

export const usage = `Arranges every fault of test/faults/ on a real daemon, has an agent follow the steps of each error to the letter, and
another one that only knows that its call failed, and prints how many faults each recovered from, in how many calls.
A whole run takes some five minutes and writes test/bench/RECOVERY.md; a partial one prints only.
The exit code is 1 where a recoverable fault was not recovered from.

usage: npm run bench:recovery -- [--only WORDS]...

  --only WORDS  only faults whose type or name holds these words
  --help        this text

examples:
  npm run bench:recovery
  npm run bench:recovery -- --only STALE_REF
`;

/** Returns the options, or the problem with the arguments. */
export function readOptions(args: readonly string[]): Options | Problem {
  const given = readArguments(args, { flags: [], values: ["only"] });
  if ("problem" in given) return given;
  return { help: given.flags.has("help"), only: given.values.only };
}
