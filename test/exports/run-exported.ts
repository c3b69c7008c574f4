// Runs an exported test with the real Playwright Test, in a process of its own.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { findBrowser } from "../../worker/chrome/find-browser.ts";
import { BROWSER_ARGS, installPlaywright, PLAYWRIGHT_FOLDER } from "./playwright.ts";

const RUN_MS_MAX = 120_000;

export interface ExportedRun {
  code: string;
  baseUrl: string;
  env?: Record<string, string> | undefined;
  /** The content of the role's login file. */
  login?: { variable: string; content: string } | undefined;
}

/** Resolves to nothing if the test is green, or to what Playwright Test said. */
export async function runExported({ code, baseUrl, env, login }: ExportedRun): Promise<string | undefined> {
  await installPlaywright();
  const runs = path.join(PLAYWRIGHT_FOLDER, "runs");
  await mkdir(runs, { recursive: true });
  // Its imports are resolved from the folder that Playwright is installed in.
  const folder = await mkdtemp(path.join(runs, "run-"));
  try {
    const { executable } = await findBrowser({ env: process.env });
    await writeFile(path.join(folder, "run.spec.ts"), code);
    await writeFile(path.join(folder, "playwright.config.mjs"), configOf(executable));
    const loginFile = path.join(folder, "login.json");
    if (login) await writeFile(loginFile, login.content);
    const variables = { BASE_URL: baseUrl, ...env, ...(login && { [login.variable]: loginFile }) };
    return await playwright(folder, variables);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function configOf(executablePath: string): string {
  const use = { launchOptions: { executablePath, args: BROWSER_ARGS }, actionTimeout: 10_000 };
  const config = { testDir: ".", outputDir: "results", reporter: "line", timeout: 60_000, workers: 1, use };
  return `export default ${JSON.stringify(config)};\n`;
}

async function playwright(folder: string, env: Record<string, string>): Promise<string | undefined> {
  const cli = path.join(PLAYWRIGHT_FOLDER, "node_modules/@playwright/test/cli.js");
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const options = {
    cwd: folder,
    timeout: RUN_MS_MAX,
    env: { ...process.env, ...env, FORCE_COLOR: "0", CI: "1" },
  };
  execFile(process.execPath, [cli, "test"], options, (error, stdout, stderr) =>
    resolve(error ? `${error.message}\n${stdout}\n${stderr}` : undefined),
  );
  return await promise;
}
