/** The options of `npm run test:chaos`. */
import { type Problem, readArguments } from "../harness/arguments.ts";

export interface Options {
  help: boolean;
  list: boolean;
  /** The beginnings of scenario names. A scenario must match one of them. */
  only: string[];
  /** A text that the titles of parts must contain. */
  part: string | undefined;
  minutes: number;
  kills: number;
  sessions: number;
  seed: number;
  inputs: number;
}

export const usage = `Does to real daemons, workers and browsers what may befall them, under load, and prints figures beside what is to be
reached. The exit code is 1 where a bar is not reached. Linux only: processes are found and measured in /proc.

usage: npm run test:chaos -- [--only NAME]... [--part WORDS] [--minutes N] [--kills N] [--sessions N] [--inputs N] [--seed N]

  --only NAME   only scenarios whose name begins so
  --part WORDS  of the pages and hosts, only parts whose title has these words
  --list        the scenarios
  --minutes N   how long the soak lasts (10)
  --kills N     how many workers are killed in a row (1000)
  --sessions N  how many sessions rest and come back (1000)
  --inputs N    how many inputs the fuzz makes (5000)
  --seed N      where the fuzz begins (1)
  --help        this text

examples:
  npm run test:chaos
  npm run test:chaos -- --only deaths
  npm run test:chaos -- --only soak --minutes 1
  npm run test:chaos -- --only pages --part popups
`;

const NUMBERS = { minutes: 10, kills: 1000, sessions: 1000, inputs: 5000, seed: 1 };

/** Returns the options, or the problem with the arguments. */
export function readOptions(args: readonly string[]): Options | Problem {
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
  const given = readArguments(args, { flags: ["list"], values: ["only", "part", ...names] });
  if ("problem" in given) return given;
  const numbers = { ...NUMBERS };
  for (const name of names) {
    const text = given.values[name].at(-1);
    if (text === undefined) continue;
    if (!/^\d{1,9}(\.\d+)?$/.test(text) || Number(text) === 0)
      return { problem: `--${name} needs a number above 0, not ${JSON.stringify(text)}` };
    numbers[name] = Number(text);
  }
  return {
    help: given.flags.has("help"),
    list: given.flags.has("list"),
    only: given.values.only,
    part: given.values.part.at(-1),
    ...numbers,
  };
}
