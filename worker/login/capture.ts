// Reads the login that a browser holds: cookies and storage of all visited origins. Lists what was left out.
import type { Browser, CDPSession } from "puppeteer-core";
import { quote } from "../../proto/text/quote.ts";
import type { LaunchedChrome } from "../chrome/launch.ts";
import { isGone } from "../core/gone.ts";
import { type CapturedContext, captureContext } from "../storage/capture-storage.ts";
import { pageScripts } from "../tab/bridge-bundle.ts";
import { LoginError } from "./login-error.ts";

/** At most this many omitted parts are listed. */
const MISSING_MAX = 20;

/**
 * Reads the login while the pages are still open, because sessionStorage goes with them. `visited`: other origins whose
 * storage is read too. Rejects with a LoginError if the login cannot be read.
 */
export async function captureLogin(
  { browser, session }: Pick<LaunchedChrome, "browser" | "session">,
  visited: Iterable<string>,
): Promise<CapturedContext> {
  try {
    const [{ storage: script }, pages] = await Promise.all([pageScripts(), shownPages(browser)]);
    const reader = await browser.newPage();
    const tab = await reader.createCDPSession();
    await tab.send("Page.enable");
    return await captureContext({ browser: session, tab, origins: [...visited], pages, script });
  } catch (error) {
    const { message } = error as Error;
    throw new LoginError("failed", `the login could not be read, so none was saved: ${message}`, error);
  }
}

/** Lists what is not in the login, in words for the person who saves it. */
export function missing({ leftOut, errors }: Pick<CapturedContext, "leftOut" | "errors">): string[] {
  const parts = leftOut.map(({ origin, area, database, store, records, reason }) => {
    const names = [database, store].filter((name) => name !== undefined).map((name) => quote(name));
    const some = records === undefined ? "" : ` (${records} of its records)`;
    return `${area} ${[...names, `of ${origin}`].join(" ")}${some}: ${WORDS[reason]}`;
  });
  const all = [...parts, ...errors.map(({ message }) => message)];
  const rest = all.length - MISSING_MAX;
  return [...all.slice(0, MISSING_MAX), ...(rest > 0 ? [`${rest} parts more`] : [])];
}

const WORDS: Record<CapturedContext["leftOut"][number]["reason"], string> = {
  "too large": "it is too large",
  "no answer": "a page holds it",
  "no form": "it holds what only a browser can",
  refused: "the browser did not give it",
};

/** Returns the pages in the order in which they were opened. If two share an origin, the login began in the first. */
async function shownPages(browser: Browser): Promise<CDPSession[]> {
  const shown = browser.targets().filter((each) => each.type() === "page" && /^https?:/.test(each.url()));
  const sessions = await Promise.all(shown.map((each) => each.createCDPSession().catch(unlessGone)));
  return sessions.filter((session) => session !== undefined);
}

/** A page that closes meanwhile is left out. */
function unlessGone(error: Error): undefined {
  if (!isGone(error)) throw error;
}
