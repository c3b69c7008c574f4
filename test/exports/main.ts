/**
 * `npm run test:exports` exports all runs and runs them with Playwright Test: three times, and once after the pages'
 * structure has changed. It compares the locators of all applications, too.
 */
import { spawn } from "node:child_process";
import { installPackages } from "../apps/packages.ts";
import { applications } from "../apps/play.ts";
import { installPlaywright } from "./playwright.ts";

await installPlaywright(console.log);
for (const name of await applications()) await installPackages(name, console.log);
const files = ["exported", "locators"].map((name) => `${import.meta.dirname}/${name}.test.ts`);
const child = spawn(process.execPath, ["--test", "--test-concurrency=1", ...files], {
  stdio: "inherit",
  env: { ...process.env, EXPORTS: "all" },
});
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
