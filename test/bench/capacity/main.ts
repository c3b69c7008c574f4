/**
 * Measures what Troupe needs, and writes deploy/CAPACITY.md. It takes about ten minutes. `--kept` writes the document
 * from the figures of the latest run.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findBrowser } from "../../../worker/chrome/find-browser.ts";
import { ROOT } from "../../readme/pages.ts";
import { describeMachine } from "../machine.ts";
import { simulateDirectory } from "./directory.ts";
import { measureFootprint } from "./footprint.ts";
import { type CapacityResults, capacityReport } from "./report.ts";

const FIGURES = path.join(import.meta.dirname, "figures.json");
const DOCUMENT = path.join(ROOT, "deploy/CAPACITY.md");
/** As large as the largest cluster of the model. */
const DIRECTORY = { pods: 100, sessions: 10_000, storedBytes: 30_000, changedBytes: 4_000 };

const results = process.argv.includes("--kept") ? kept() : await measured();
writeFileSync(FIGURES, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(DOCUMENT, capacityReport(results));

function kept(): CapacityResults {
  return JSON.parse(readFileSync(FIGURES, "utf8")) as CapacityResults;
}

async function measured(): Promise<CapacityResults> {
  const machine = await describeMachine(await findBrowser({ env: process.env, platform: process.platform }));
  return {
    date: new Date().toISOString().slice(0, 10),
    machine,
    footprint: await measureFootprint(),
    directory: await simulateDirectory(DIRECTORY),
  };
}
