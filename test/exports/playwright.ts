// Gives tests the real Playwright from npm, installed once in a folder of its own. It uses the machine's browser.
import { createRequire } from "node:module";
import path from "node:path";
import { findBrowser } from "../../worker/chrome/find-browser.ts";
import { installIn } from "../apps/packages.ts";

export const PLAYWRIGHT_FOLDER = path.join(import.meta.dirname, "playwright");

/** The parts of Playwright that these tests use. */
export interface PlaywrightPage extends AsyncDisposable {
  goto(url: string): Promise<unknown>;
  evaluate<R>(script: string | ((argument: never) => R), argument?: unknown): Promise<R>;
  addInitScript(script: { content: string }): Promise<unknown>;
  waitForLoadState(state: "networkidle"): Promise<void>;
}

interface Browser {
  newPage(options?: {
    baseURL?: string;
    bypassCSP?: boolean;
  }): Promise<PlaywrightPage & { close(): Promise<void> }>;
  close(): Promise<void>;
}

interface PlaywrightCore {
  chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> };
}

/** Installs Playwright if it is missing. */
export async function installPlaywright(say: (text: string) => void = () => undefined): Promise<void> {
  await installIn(PLAYWRIGHT_FOLDER, "Playwright Test", say);
}

/** Starts the machine's browser by Playwright. */
export async function launchPlaywright(): Promise<Browser> {
  await installPlaywright();
  const load = createRequire(path.join(PLAYWRIGHT_FOLDER, "package.json"));
  const { chromium } = load("playwright-core") as PlaywrightCore;
  const { executable } = await findBrowser({ env: process.env });
  return await chromium.launch({ executablePath: executable, args: BROWSER_ARGS });
}

/** The browser runs without a sandbox, as these tests may run as root. It opens only pages of this machine. */
export const BROWSER_ARGS = ["--no-sandbox"];
