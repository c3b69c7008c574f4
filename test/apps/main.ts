/**
 * `npm run test:apps` does what people do with applications of real libraries. It compares each reply with what
 * happened.
 */

import { type Problem, readArguments, runProgram } from "../harness/arguments.ts";
import { startTroupe } from "../harness/troupe.ts";
import { faultsOf, tableOf } from "./figures.ts";
import { installPackages } from "./packages.ts";
import { applications, type Outcome, play } from "./play.ts";

interface Options {
  help: boolean;
  list: boolean;
  late: boolean;
  verbose: boolean;
  only: string[];
}

const usage = `Does what people do with applications made of real libraries, over \`troupe mcp\`, knowing only the texts that it is
given. Each reply alone must say what happened, a look straight after it must add nothing, and nothing may be done twice.

usage: npm run test:apps -- [--only NAME]... [--late] [--verbose]

  --only NAME  only applications whose name begins so
  --late       looks one second after each reply instead of straight after it
  --verbose    every call with its reply
  --list       the applications
  --help       this text

examples:
  npm run test:apps
  npm run test:apps -- --only mui --verbose
`;

process.exitCode = await runProgram(readOptions(process.argv.slice(2)), usage, main);

function readOptions(args: readonly string[]): Options | Problem {
  const given = readArguments(args, { flags: ["list", "late", "verbose"], values: ["only"] });
  if ("problem" in given) return given;
  const { flags, values } = given;
  const has = (flag: "help" | "list" | "late" | "verbose") => flags.has(flag);
  return {
    help: has("help"),
    list: has("list"),
    late: has("late"),
    verbose: has("verbose"),
    only: values.only,
  };
}

async function main({ list, late, verbose, only }: Options): Promise<number> {
  const names = (await applications()).filter(
    (name) => only.length === 0 || only.some((each) => name.startsWith(each)),
  );
  if (list) console.log(names.join("\n"));
  if (list) return 0;
  await using troupe = await startTroupe();
  const outcomes: Outcome[] = [];
  for (const name of names) {
    await installPackages(name, console.log);
    const outcome = await play(name, troupe, { late });
    outcomes.push(outcome);
    if (verbose)
      for (const { call, text, tookMs } of outcome.steps)
        console.log(`\n> ${call} (${Math.round(tookMs ?? 0)} ms)\n${text}`);
    const faults = faultsOf(outcome);
    console.log(`${faults.length === 0 ? "✔" : "✖"} ${name}`);
    for (const fault of faults) console.log(`  ${fault.replaceAll("\n", "\n  ")}`);
  }
  console.log(`\n${tableOf(outcomes)}`);
  const failed = outcomes.filter((outcome) => faultsOf(outcome).length > 0).length;
  console.log(`${outcomes.length - failed} passed, ${failed} failed`);
  return failed === 0 && outcomes.length > 0 ? 0 : 1;
}
