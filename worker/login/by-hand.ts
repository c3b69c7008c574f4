// Lets a person log in, in a visible window, and waits until the person confirms.
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Browser } from "puppeteer-core";
import type { BrowserConfig } from "../../proto/gen/troupe.ts";
import { within } from "../../proto/machine/within.ts";
import { findBrowser } from "../chrome/find-browser.ts";
import { LoginError } from "./login-error.ts";

/** This is enough time for a person to go and look for a password. */
const PERSON_MS_MAX = 30 * 60_000;
const SCRIPT = "or give the steps in a file: troupe login ROLE --script FILE";

/** Rejects with a LoginError if no window can be shown. */
export async function requireWindow(
  browser: BrowserConfig,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): Promise<void> {
  if (platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    throw new LoginError(
      "unavailable",
      `there is no display to open a browser on: run this on a machine with one and copy the auth file, ${SCRIPT}`,
    );
  const { kind } = await findBrowser({
    configured: browser.executable || undefined,
    env,
    needsWindow: true,
  });
  if (kind === "headless-shell")
    throw new LoginError(
      "unavailable",
      `the browser found here opens no window: install Chrome or Chromium, or name one in TROUPE_BROWSER, ${SCRIPT}`,
    );
}

/** Resolves when the person confirms. Rejects with a LoginError if that does not happen. */
export async function saidDone(browser: Browser, input: Readable): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const unsaved = (why: string) => new LoginError("failed", `${why}, so no login was saved`);
  const refuse = (why: string) => () => reject(unsaved(why));
  const closed = refuse("the window was closed before Enter was pressed");
  // A browser may outlive its windows.
  const closes = () => browser.targets().some((target) => target.type() === "page") || closed();
  browser.on("disconnected", closed);
  browser.on("targetdestroyed", closes);
  using lines = createInterface({ input });
  lines.once("line", () => resolve());
  lines.once(
    "close",
    refuse(
      "standard input ended before anybody pressed Enter (run this in a terminal, or with --script FILE)",
    ),
  );
  try {
    const late = () => unsaved("nobody pressed Enter within 30 minutes");
    await within({ timeMs: PERSON_MS_MAX, late }, promise);
  } finally {
    browser.off("disconnected", closed);
    browser.off("targetdestroyed", closes);
  }
}
