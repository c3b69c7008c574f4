/**
 * `npm test`: every test, three files at a time, and last how many passed and failed.
 * `npm test -- PATTERN…` runs the files whose path holds one of the patterns.
 */
import { glob } from "node:fs/promises";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { everyTime } from "./apps/every-time.ts";
import { installPackages } from "./apps/packages.ts";
import {
  type Counts,
  chooseFiles,
  closingLine,
  failedCount,
  slowest,
  withoutOwnSettings,
} from "./run-decisions.ts";

const root = join(import.meta.dirname, "..");
const codeCache = join(root, "node_modules/.cache/troupe");
/** It needs libraries that a checkout does not have from the start. */
const realApplications = "test/apps/apps.test.ts";
const testTimeoutMs = 90_000;
/** A run that takes this long hangs. */
const runTimeoutMs = 45 * 60_000;

const nothing: Counts = { tests: 0, passed: 0, skipped: 0, todo: 0 };

process.exitCode = await main(process.argv.slice(2));

async function main(patterns: string[]): Promise<number> {
  // Packages have tests of their own.
  const exclude = (path: string) => path.endsWith("node_modules");
  const paths = await Array.fromAsync(glob("test/**/*.test.ts", { cwd: root, exclude }));
  const files = chooseFiles(paths, patterns);
  if (files.includes(realApplications)) await installApplications();
  const counts = files.length > 0 ? await runFiles(files) : nothing;
  if (files.length === 0) process.stdout.write(`no test file has ${patterns.join(" or ")} in its path\n`);
  process.stdout.write(`${closingLine(counts)}\n`);
  return failedCount(counts) === 0 && counts.passed > 0 ? 0 : 1;
}

/** Before the tests, whose time is bounded. One that cannot be installed fails there. */
async function installApplications(): Promise<void> {
  try {
    for (const name of everyTime) await installPackages(name, console.log);
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`);
  }
}

async function runFiles(files: string[]): Promise<Counts> {
  const events = run({
    files: files.map((file) => relative(process.cwd(), join(root, file))),
    cwd: process.cwd(),
    // A file computes in several processes: test, daemon, worker, browser. It waits for a third of its time.
    concurrency: 3,
    timeout: testTimeoutMs,
    signal: AbortSignal.timeout(runTimeoutMs),
    // As with `troupe`, whatever is started reads its code compiled.
    env: { ...withoutOwnSettings(process.env), NODE_COMPILE_CACHE: codeCache },
  });
  let counts: Counts = { ...nothing, tests: 1 };
  const tookMs = new Map<string, number>();
  events.on("test:summary", (summary) => {
    // Each file has its summary, and the last one, of no file, is of all.
    if (summary.file === undefined) counts = summary.counts;
    else tookMs.set(relative(root, summary.file), summary.duration_ms);
  });
  for await (const text of events.compose(spec)) process.stdout.write(text as string);
  process.stdout.write(`${slowest(tookMs)}\n`);
  return counts;
}
