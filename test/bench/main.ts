/** `npm run bench` measures Troupe side by side with its peers, in one run. */
import { readFile, writeFile } from "node:fs/promises";
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
import { measureApps } from "./measure/apps.ts";
import { coldPage, measureCold } from "./measure/cold.ts";
import { controlPage, measureControlPlane } from "./measure/control-plane.ts";
import { densityPage, measureDensity } from "./measure/density.ts";
import { Entrant } from "./measure/entrant.ts";
import { measureLists } from "./measure/lists.ts";
import { loadPage, measureLoad } from "./measure/load.ts";
import { measureOpenings, openingPage } from "./measure/openings.ts";
import { measureRealPages } from "./measure/real.ts";
import { measureRestarts, restartsPage } from "./measure/restarts.ts";
import { measureRhythm } from "./measure/rhythm.ts";
import { attempt, type Run } from "./measure/rounds.ts";
import { coldStart, measureStarts } from "./measure/starts.ts";
import { measureThroughput, throughputPage } from "./measure/throughput.ts";
import { measureToolLists, toolsPage } from "./measure/tool-lists.ts";
import { isChosen, isWhole, needsEntrants, type Options, readOptions, usage } from "./options.ts";
import { Site } from "./pages/site.ts";
import { reportText } from "./report.ts";
import { type Baseline, baselineOf, regressionLine, regressions } from "./results/compare.ts";
import type { Results } from "./results/results.ts";

/** It is many times what a quiet machine takes. */
const RUN_MS_MAX = 60 * 60_000;
const releaseFile = path.join(import.meta.dirname, "results/release.json");
const resultsFile = path.join(import.meta.dirname, "RESULTS.md");

process.exitCode = await runProgram(readOptions(process.argv.slice(2)), usage, main);

async function main(options: Options): Promise<number> {
  const interrupted = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => interrupted.abort());
  const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(RUN_MS_MAX)]);
  try {
    const before = options.compare ? await lastRelease() : undefined;
    if (options.compare && !before) {
      console.error("no release is kept to compare with: npm run bench -- --release keeps one");
      return 64;
    }
    const now = await bench(options, signal);
    return before && !isKept(before, now) ? 1 : 0;
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    console.error("interrupted");
    return 130;
  }
}

/** Returns undefined if there has been no release yet. */
async function lastRelease(): Promise<Baseline | undefined> {
  try {
    return JSON.parse(await readFile(releaseFile, "utf8")) as Baseline;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns true if Troupe keeps what it reached at the release. */
function isKept(before: Baseline, now: Baseline): boolean {
  const worse = regressions(before, now);
  for (const each of worse) say(`worse than at the last release: ${regressionLine(each)}`);
  if (worse.length === 0) say("no figure is over 10 % worse than at the last release");
  return worse.length === 0;
}

async function bench(options: Options, signal: AbortSignal): Promise<Baseline> {
  const results: Results = { samples: [], quantities: [], failures: [] };
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
  if (isChosen(options, throughputPage)) await measureThroughput(run);
  if (isChosen(options, densityPage)) await measureDensity(run);
  if (isChosen(options, loadPage)) await measureLoad(run);
  if (isChosen(options, restartsPage)) await measureRestarts(run);
  if (isChosen(options, coldPage)) await measureCold(run, taking, site);
  for (const contender of needsEntrants(options) ? taking : []) {
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
  await measureRhythm(run, (page) => isChosen(options, page));
  await measureRealPages(run, (page) => isChosen(options, page), unavailable);
  await measureApps(run, (page) => isChosen(options, page));
  if (isChosen(options, coldStart)) await measureStarts(run, started, site);

  const titles = Object.fromEntries(all.map(({ id, title }) => [id, title]));
  const text = reportText({ results, machine, titles, date: new Date().toISOString().slice(0, 10) });
  console.log(`\n${text}`);
  const now = baselineOf(results, versions);
  if (!isWhole(options) || unavailable.length > 0) {
    say("this was not a whole run: RESULTS.md stays as it is");
    return now;
  }
  await writeFile(resultsFile, text);
  say("written to test/bench/RESULTS.md");
  if (options.release) await writeFile(releaseFile, `${JSON.stringify(now, null, 2)}\n`);
  return now;
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
