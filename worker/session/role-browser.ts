// A role's browser, and the words for one that does not start.
import path from "node:path";
import { fail } from "../../proto/errors.ts";
import type { RoleConfig } from "../../proto/gen/troupe.ts";
import { BrowserNotFound } from "../chrome/browser-not-found.ts";
import { BrowserDied, type Chrome, launchChrome } from "../chrome/launch.ts";

const RETRY_AFTER_MS = 1_000;

const NO_WISHES = { executable: "", executableShown: "", headless: true, sandbox: "auto", args: [] };

/** Starts the role's browser. Throws WORKER_UNAVAILABLE, with what to mend where it does not start at all. */
export async function launch({ name, browser }: RoleConfig): Promise<Chrome> {
  try {
    return await launchChrome(browser ?? NO_WISHES);
  } catch (error) {
    const message = withoutPaths((error as Error).message, browser);
    if (error instanceof BrowserDied) {
      throw fail("WORKER_UNAVAILABLE", { role: name, reason: message, retryAfterMs: RETRY_AFTER_MS }, error);
    }
    const mend = error instanceof BrowserNotFound ? error.mend : mendOf(message);
    throw fail(
      "WORKER_UNAVAILABLE",
      { role: name, reason: `its browser does not start: ${firstLines(message)}`, mend },
      error,
    );
  }
}

/** Programs by their names alone, but for those that somebody named: as they did. */
function withoutPaths(message: string, browser: RoleConfig["browser"]): string {
  const shown = new Map([
    [process.env.TROUPE_BROWSER, process.env.TROUPE_BROWSER],
    [browser?.executable, browser?.executableShown],
  ]);
  return message.replace(
    /(?<![\w:.])(?:\/[\w.+@~-]+)+/g,
    (found) => shown.get(found) || path.basename(found),
  );
}

function mendOf(message: string): string {
  if (/sandbox/i.test(message))
    return "Let Chrome have its sandbox (unprivileged user namespaces, or run the daemon as another user than root), or set browser.sandbox: false in troupe.yaml.";
  if (/shared librar/i.test(message))
    return "Install what Chrome needs: apt-get install chromium brings all of it.";
  return "Try the browser by hand, or name another one in TROUPE_BROWSER or browser.executable.";
}

function firstLines(message: string): string {
  return message.split("\n").filter(Boolean).slice(0, 3).join(" ").slice(0, 500);
}
