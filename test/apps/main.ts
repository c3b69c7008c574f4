/**
 * `npm run test:apps` does what people do with applications of real libraries. It compares each reply with what
 * happened.
 */

import { type Problem, readArguments, runProgram } from "../harness/arguments.ts";
import { startTroupe } from "../harness/troupe.ts";
import { comparison, faultsOf, tableOf } from "./figures.ts";
import { installPackages } from "./packages.ts";
import { applications, type Outcome, play } from "./play.ts";

interface Options {
  help: boolean;
  list: boolean;
  late: boolean;
  steps: boolean;
  verbose: boolean;
  only: string[];
}

const usage = `Does what people do with applications made of real libraries, over \`troupe mcp\`, knowing only the texts that it is
given. Each reply alone must say what happened, a look straight after it must add nothing, and nothing may be done twice.

usage: npm run test:apps -- [--only NAME]... [--late] [--steps] [--verbose]

  --only NAME  only applications whose name begins so
  --late       looks one second after each reply instead of straight after it
  --steps      does each twice: one action a call, then several a call by browser_steps, and compares the two
  --verbose    every call with its reply
  --list       the applications
  --help       this text

examples:
  npm run test:apps
  npm run test:apps -- --only mui --verbose
`;

process.exitCode = await runProgram(readOptions(process.argv.slice(2)), usage, main);

function readOptions(args: readonly string[]): Options | Problem {
  const given = readArguments(args, { flags: ["list", "late", "steps", "verbose"], values: ["only"] });
  if ("problem" in given) return given;
  const { flags, values } = given;
  const has = (flag: "help" | "list" | "late" | "steps" | "verbose") => flags.has(flag);
  return {
    help: has("help"),
    list: has("list"),
    late: has("late"),
    steps: has("steps"),
    verbose: has("verbose"),
    only: values.only,
  };
}

async function main({ list, late, steps, verbose, only }: Options): Promise<number> {
  const names = (await applications()).filter(
    (name) => only.length === 0 || only.some((each) => name.startsWith(each)),
  );
  if (list) console.log(names.join("\n"));
  if (list) return 0;
  await using troupe = await startTroupe();
  const outcomes: Outcome[] = [];
  const inSteps: Outcome[] = [];
  for (const name of names) {
    await installPackages(name, console.log);
    outcomes.push(report(await play(name, troupe, { late }), verbose));
    if (steps) inSteps.push(report(await play(name, troupe, { late, inSteps: true }), verbose));
  }
  console.log(`\n${tableOf(outcomes)}`);
  if (steps) console.log(`\nin steps:\n${tableOf(inSteps)}\n\n${comparison(outcomes, inSteps)}`);
  const all = [...outcomes, ...inSteps];
  const failed = all.filter((outcome) => faultsOf(outcome).length > 0).length;
  console.log(`${all.length - failed} passed, ${failed} failed`);
  return failed === 0 && all.length > 0 ? 0 : 1;
}

function report(outcome: Outcome, verbose: boolean): Outcome {
  if (verbose)
    for (const { call, text, tookMs } of outcome.steps)
      console.log(`\n> ${call} (${Math.round(tookMs ?? 0)} ms)\n${text}`);
  const faults = faultsOf(outcome);
  console.log(`${faults.length === 0 ? "✔" : "✖"} ${outcome.name}`);
  for (const fault of faults) console.log(`  ${fault.replaceAll("\n", "\n  ")}`);
  return outcome;
}
