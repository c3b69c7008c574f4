/** `npm run test:chaos` plays every fault of a daemon and prints figures. */
import { runProgram } from "../harness/arguments.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { isReached, tableOf } from "./scenario/figures.ts";
import { scenarios } from "./scenarios.ts";

const INTERRUPTED = 130;

process.exitCode = await runProgram(readOptions(process.argv.slice(2)), usage, main);

async function main({ list, only, ...extent }: Options): Promise<number> {
  const chosen = scenarios.filter(
    ({ name }) => only.length === 0 || only.some((each) => name.startsWith(each)),
  );
  if (chosen.length === 0) {
    console.error(`no scenario is named so; there are ${scenarios.map(({ name }) => name).join(", ")}`);
    return 64;
  }
  if (list) {
    for (const { name, about } of chosen) console.log(`${name.padEnd(10)} ${about}`);
    return 0;
  }
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => {
      interrupted.abort();
      process.exit(INTERRUPTED);
    });
  }
  let missed = 0;
  for (const scenario of chosen) {
    console.log(`\n${scenario.name}: ${scenario.about}`);
    const say = (line: string) => console.log(`    ${line}`);
    missed += await played(scenario, { ...extent, say, interrupted: interrupted.signal });
  }
  console.log(missed === 0 ? "\nevery bar is reached" : `\n${missed} bars are not reached`);
  return missed === 0 ? 0 : 1;
}

/** Plays a scenario. Returns the number of missed bars. A scenario that breaks off has missed one. */
async function played(
  scenario: (typeof scenarios)[number],
  extent: Parameters<typeof scenario.play>[0],
): Promise<number> {
  let missed = 0;
  try {
    for await (const part of scenario.play(extent)) {
      const text = "figures" in part ? `\n${tableOf(part.figures)}` : ` skipped: ${part.skipped}`;
      console.log(`\n${part.title}:${text}`);
      if ("figures" in part) missed += part.figures.filter((figure) => !isReached(figure)).length;
    }
  } catch (error) {
    console.log(`\nit broke off: ${(error as Error).stack}`);
    missed++;
  }
  return missed;
}
