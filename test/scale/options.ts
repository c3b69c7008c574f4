/** The options of `npm run test:scale`. */
import { type Problem, readArguments } from "../harness/arguments.ts";

export interface Options {
  help: boolean;
  /** The beginnings of phase names. A phase must match one of them. */
  only: string[];
  sessions: number;
  /** The duration of the load between two events. */
  seconds: number;
}

export const usage = `Runs several daemons with one PostgreSQL behind nginx, under the load of live sessions. Daemons come, go, die and stop
meanwhile. It checks from outside what becomes of the sessions, and prints figures beside what is to be reached. The exit
code is 1 where a bar is not reached. Linux only. PostgreSQL and nginx must be installed.

usage: npm run test:scale -- [--only PHASE]... [--sessions N] [--seconds N]

  --only PHASE   only phases whose name begins so: changes, rolling, hop, store
  --sessions N   how many sessions live (60)
  --seconds N    how long the load lasts between two events (15)
  --help         this text

examples:
  npm run test:scale
  npm run test:scale -- --only rolling --sessions 12
`;

const NUMBERS = { sessions: 60, seconds: 15 };

/** Returns the options, or the problem with the arguments. */
export function readOptions(args: readonly string[]): Options | Problem {
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
  const given = readArguments(args, { flags: [], values: ["only", ...names] });
  if ("problem" in given) return given;
  const numbers = { ...NUMBERS };
  for (const name of names) {
    const text = given.values[name].at(-1);
    if (text === undefined) continue;
    if (!/^[1-9]\d{0,5}$/.test(text))
      return { problem: `--${name} needs a whole number above 0, not ${JSON.stringify(text)}` };
    numbers[name] = Number(text);
  }
  return { help: given.flags.has("help"), only: given.values.only, ...numbers };
}
