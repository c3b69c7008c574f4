/** What `npm run bench:recovery` may be told. */

export interface Options {
  help: boolean;
  /** Words that a fault's type or name must hold. */
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

/** The options, or what is wrong with the arguments. */
export function readOptions(args: readonly string[]): Options | { problem: string } {
  const options: Options = { help: false, only: [] };
  for (let i = 0; i < args.length; i++) {
    const [name = "", inline] = (args[i] ?? "").split("=", 2);
    if (name === "--help" || name === "-h") options.help = true;
    else if (name !== "--only")
      return { problem: `unknown argument ${JSON.stringify(name)}; --help lists them` };
    else {
      const words = inline ?? args[++i];
      if (!words) return { problem: "--only needs a value" };
      options.only.push(words);
    }
  }
  return options;
}
