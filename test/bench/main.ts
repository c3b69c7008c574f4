/** `npm run bench` measures Troupe side by side with its peers, in one run. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { VERSION } from "../../proto/machine/version.ts";
import { findBrowser } from "../../worker/chrome/find-browser.ts";
import { runProgram } from "../harness/arguments.ts";
import type { Contender } from "./contenders/contender.ts";
import {
  installPackages,
  packagesFolder,
  peerPackages,
  type Unavailable,
} from "./contenders/peer-packages.ts";
import { peers } from "./contenders/peers.ts";
import { troupe } from "./contenders/troupe.ts";
import { describeMachine } from "./machine.ts";
import { actionsPage, measureActions } from "./measure/actions.ts";
import { controlPage, measureControlPlane } from "./measure/control-plane.ts";
import { Entrant } from "./measure/entrant.ts";
import { measureLists } from "./measure/lists.ts";
import { measureOpenings, openingPage } from "./measure/openings.ts";
import { measureRealPages } from "./measure/real.ts";
import { attempt, type Run } from "./measure/rounds.ts";
import { coldStart, measureStarts } from "./measure/starts.ts";
import { measureToolLists, toolsPage } from "./measure/tool-lists.ts";
import { isChosen, isWhole, type Options, readOptions, usage } from "./options.ts";
import { Site } from "./pages/site.ts";
import { reportText } from "./report.ts";
import type { Results } from "./results/results.ts";

/** It is many times what a quiet machine takes. */
const RUN_MS_MAX = 60 * 60_000;
const resultsFile = path.join(import.meta.dirname, "RESULTS.md");

process.exitCode = await runProgram(readOptions(process.argv.slice(2)), usage, main);

async function main(options: Options): Promise<number> {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());
  const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(RUN_MS_MAX)]);
  try {
    await bench(options, signal);
    return 0;
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    console.error("interrupted");
    return 130;
  }
}

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  const results: Results = { samples: [], failures: [] };
  const browser = await findBrowser({ env: process.env });
  const machine = await describeMachine(browser);
  const folder = packagesFolder(process.env);
  say("installing the peers where they are not yet");
  const unavailable = await installPackages(folder, signal);
  for (const reason of unavailable) say(`  ${reason.name} is not there: ${reason.reason}`);

  const packagesDir = path.join(folder, "node_modules");
  const versions = { troupe: VERSION, ...versionsOf(peerPackages) };
  const surroundings = { browser, packagesDir, versions };
  const all = [troupe(surroundings), ...peers(surroundings)].filter(({ id }) => options.only.includes(id));
  const taking = withoutMissing(all, unavailable, results);

  await using open = new AsyncDisposableStack();
  const site = open.use(await Site.start(packagesDir));
  const entrants: Entrant[] = [];
  const run: Run = { entrants, results, quick: options.quick, signal, say };
  for (const contender of taking) {
    say(`starting ${contender.title}`);
    await attempt(run, { contender: contender.id, page: "its start" }, async () => {
      entrants.push(open.use(await Entrant.enter(contender, site, signal)));
    });
  }
  const started = entrants.map(({ contender }) => contender);

  if (isChosen(options, toolsPage)) await measureToolLists(run);
  if (isChosen(options, actionsPage)) await measureActions(run);
  if (isChosen(options, controlPage)) await measureControlPlane(run, browser);
  if (isChosen(options, openingPage)) await measureOpenings(run);
  await measureLists(run, (page) => isChosen(options, page));
  await measureRealPages(run, (page) => isChosen(options, page), unavailable);
  if (isChosen(options, coldStart)) await measureStarts(run, started, site);

  const titles = Object.fromEntries(all.map(({ id, title }) => [id, title]));
  const text = reportText({ results, machine, titles, date: new Date().toISOString().slice(0, 10) });
  console.log(`\n${text}`);
  if (!isWhole(options) || unavailable.length > 0)
    return say("this was not a whole run: RESULTS.md stays as it is");
  await writeFile(resultsFile, text);
  say("written to test/bench/RESULTS.md");
}

function withoutMissing(
  contenders: Contender[],
  unavailable: readonly Unavailable[],
  { failures }: Results,
): Contender[] {
  return contenders.filter(({ id }) => {
    const missing = id !== "troupe" && unavailable.find(({ name }) => name === peerPackages[id].name);
    if (!missing) return true;
    failures.push({ contender: id, page: "its installation", measure: "at first", reason: missing.reason });
    return false;
  });
}

function versionsOf<Id extends string>(packages: Record<Id, { version: string }>): Record<Id, string> {
  return Object.fromEntries(
    Object.entries<{ version: string }>(packages).map(([id, { version }]) => [id, version]),
  ) as Record<Id, string>;
}

function say(line: string): void {
  console.log(line);
}
