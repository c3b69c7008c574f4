/** `npm run bench:recovery` plays every fault for an agent with the plan and for one without. */
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { runProgram } from "../harness/arguments.ts";
import { faults } from "./catalogue.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { CALLS_MAX, play, type Reader } from "./play.ts";
import { intentSummary, type Result, reportText } from "./report.ts";
import { type FaultHarness, openFaultHarness } from "./stage/fault-harness.ts";
import { plansGivenTwice } from "./stage/literal-agent.ts";

const READERS: Reader[] = ["plan", "message"];
/** The number of faults at once. Most of their time they wait. */
const AT_ONCE = 2;
const reportFile = path.join(import.meta.dirname, "../bench/RECOVERY.md");

process.exitCode = await runProgram(readOptions(process.argv.slice(2)), usage, main);

async function main({ only }: Options): Promise<number> {
  const chosen = faults.filter(({ name, type }) => only.every((each) => `${type} ${name}`.includes(each)));
  const results: Result[] = [];
  for (const reader of READERS) results.push(...(await run(chosen, reader)));
  const date = new Date().toISOString().slice(0, 10);
  const text = reportText(results, { date, machine: `${availableParallelism()} cores` });
  console.log(`\n${text}`);
  if (only.length === 0) await writeFile(reportFile, text);
  const { recovered, recoverable, callsMax } = intentSummary(results);
  const isBroken = results.some(({ broken, twice = 0 }) => broken !== undefined || twice > 0);
  return recovered === recoverable && callsMax <= CALLS_MAX && !isBroken ? 0 : 1;
}

/** Plays the faults for one reader, on a daemon of their own. */
async function run(chosen: typeof faults, reader: Reader): Promise<Result[]> {
  await using harness = await openFaultHarness();
  const waiting = chosen.filter(({ recovers }) => reader === "plan" || recovers === "yes");
  const results: Result[] = [];
  const lane = async () => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const result = await resultOf(harness, fault, reader);
      results.push(result);
      const { recovered, calls, broken } = result;
      const became =
        fault.recovers === "yes" || result.chose
          ? recovered
            ? `recovered in ${calls}`
            : "NOT RECOVERED"
          : fault.recovers;
      console.log(`${reader.padEnd(8)} ${fault.type.padEnd(22)} ${fault.name}: ${broken ?? became}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  // The results are in the catalogue's order, not in the order of their ends.
  return results.sort((a, b) => place(a) - place(b));
}

function place({ fault }: Result): number {
  return faults.findIndex(({ name }) => name === fault);
}

async function resultOf(
  harness: FaultHarness,
  fault: (typeof faults)[number],
  reader: Reader,
): Promise<Result> {
  const { type, name, recovers } = fault;
  const known = { type, fault: name, recovers, reader };
  try {
    const { reached, attempt, isPlayedOut } = await play(harness, fault, reader);
    const chose = isPlayedOut && recovers === "asks";
    const twice = attempt && reader === "plan" ? plansGivenTwice(attempt).length : 0;
    return { ...known, recovered: reached, calls: attempt?.calls ?? 0, chose, twice };
  } catch (error) {
    return { ...known, recovered: false, calls: 0, broken: (error as Error).message.split("\n")[0] ?? "" };
  }
}
