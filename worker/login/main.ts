// Runs `troupe login`: starts a browser, lets a person or a script log in, and writes the role's file. Its arguments
// are the role's configuration as JSON, and the script's file if there is one.
import type { Browser, Page } from "puppeteer-core";
import type { BrowserConfig, RoleConfig } from "../../proto/gen/troupe.ts";
import { counted } from "../../proto/text/counted.ts";
import { BrowserNotFound } from "../chrome/browser-not-found.ts";
import { type LaunchedChrome, launchChrome, NO_WISHES } from "../chrome/launch.ts";
import type { CapturedContext } from "../storage/capture-storage.ts";
import { requireWritable, saveLogin } from "./auth-file.ts";
import { requireWindow, saidDone } from "./by-hand.ts";
import { captureLogin, missing } from "./capture.ts";
import { LoginError } from "./login-error.ts";
import { watchOrigins } from "./origins.ts";
import { runScript } from "./run-script.ts";
import { type LoginStep, readScript } from "./script.ts";

/** A browser that has no page after this time is of no use for a login. */
const FIRST_PAGE_MS_MAX = 10_000;

const [json = "{}", scriptFile] = process.argv.slice(2);
try {
  await logIn(JSON.parse(json) as RoleConfig, scriptFile);
} catch (error) {
  const loginError = loginErrorOf(error);
  if (!loginError) throw error;
  process.stderr.write(`troupe: ${loginError.message}\n`);
  process.exitCode = loginError.exitCode;
}

async function logIn(role: RoleConfig, script: string | undefined): Promise<void> {
  const shown = role.authFileShown || role.authFile;
  const wishes = role.browser ?? NO_WISHES;
  const steps = script === undefined ? undefined : await readScript(script, process.env);
  if (!steps) await requireWindow(wishes, process.env);
  await requireWritable(role.authFile, shown);
  const chrome = await launch({ ...wishes, headless: steps ? wishes.headless : false }, !steps);
  try {
    const captured = await Promise.race([loggedIn(chrome, role, steps), broken(chrome.browser)]);
    await saveLogin(role.authFile, shown, captured.state);
    report(role.name, shown, captured);
  } finally {
    await chrome.close();
  }
}

async function launch(config: BrowserConfig, asksPerson: boolean): Promise<LaunchedChrome> {
  try {
    return await launchChrome(config, { asksPerson });
  } catch (error) {
    const words = (error as Error).message.split("\n").filter(Boolean).slice(0, 3).join(" ");
    throw loginErrorOf(error) ?? new LoginError("unavailable", `the browser does not start: ${words}`, error);
  }
}

/** Returns the login, once the person or the script is done. */
async function loggedIn(
  chrome: LaunchedChrome,
  { startUrl }: RoleConfig,
  steps: readonly LoginStep[] | undefined,
): Promise<CapturedContext> {
  const { browser } = chrome;
  const page = await firstPage(browser);
  const visited = watchOrigins(browser);
  if (steps) await runScript(browser, page, steps);
  else {
    process.stdout.write(
      "Log in in the window that has opened. Then, with the window still open, press Enter here.\n",
    );
    // If the page does not open, the person sees why and can go elsewhere.
    if (startUrl) page.goto(startUrl).catch(() => undefined);
    await saidDone(browser, process.stdin);
  }
  return await captureLogin(chrome, visited);
}

async function firstPage(browser: Browser): Promise<Page> {
  const target = await browser.waitForTarget((each) => each.type() === "page", {
    timeout: FIRST_PAGE_MS_MAX,
  });
  return (await target.page()) ?? (await browser.newPage());
}

/** Never resolves. Rejects if the browser ends, or if a signal ends this program. */
function broken(browser: Browser): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  browser.once("disconnected", () =>
    reject(new LoginError("failed", "the browser was closed before the login was read, so none was saved")),
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => reject(new LoginError("interrupted", "ended, and no login was saved")));
  return promise;
}

function report(role: string, shown: string, captured: CapturedContext): void {
  const { cookies, origins } = captured.state;
  process.stdout.write(
    `Saved the login of role ${role} to ${shown}: ${counted(cookies.length, "cookie")}, storage of ${counted(origins.length, "origin")}.\n` +
      `A role with authCheck loads it when its login has expired; troupe restart ${role} loads it now.\n`,
  );
  if (cookies.length + origins.length === 0)
    process.stderr.write("troupe: nothing is in it: no page has set a cookie or kept anything\n");
  for (const part of missing(captured)) process.stderr.write(`troupe: not in it: ${part}\n`);
}

function loginErrorOf(error: unknown): LoginError | undefined {
  if (error instanceof LoginError) return error;
  return error instanceof BrowserNotFound
    ? new LoginError("unavailable", `${error.message}. ${error.mend}`, error)
    : undefined;
}
