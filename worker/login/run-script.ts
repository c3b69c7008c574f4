// Runs the steps of a script. Each step acts in the page that shows its element first, popups included.
import { type Browser, type Dialog, type Frame, type Page, type Target, TimeoutError } from "puppeteer-core";
import { within } from "../../proto/machine/within.ts";
import { LoginError } from "./login-error.ts";
import { newWords, type PageWords, readWords } from "./page-words.ts";
import type { LoginStep } from "./script.ts";

const STEP_MS_MAX = 15_000;
/** Chrome may lose a search when a page changes its process. A new search then finds the element. */
const LOOK_MS_MAX = 2_000;

/**
 * Runs the steps. Rejects with a LoginError that names the failed step and quotes the page's new texts. It never
 * quotes the text that a step types.
 */
export async function runScript(browser: Browser, page: Page, steps: readonly LoginStep[]): Promise<void> {
  using pages = watchPages(browser);
  const secrets = steps.flatMap((step) => (step.verb === "type" && step.secret ? [step.text] : []));
  let before: PageWords | undefined;
  for (const [index, step] of steps.entries()) {
    try {
      await run(pages, page, step, async () => {
        before = await readWords(pages.open());
      });
    } catch (error) {
      const words = newWords(before, await readWords(pages.open()), secrets);
      throw failed(`step ${index + 1} of ${steps.length} (${wordsOf(step)})`, pages, words, error);
    }
  }
}

/** Returns an address without its query and fragment, because these hold codes and tokens of logins. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return "no page";
  const { protocol, host, pathname } = new URL(url);
  if (/^https?:$/.test(protocol)) return `${protocol}//${host}${pathname}`;
  return url === "about:blank" ? url : `a ${protocol} page`;
}

/** Awaits `acts` before the step changes a page. */
async function run(pages: Pages, page: Page, step: LoginStep, acts: () => Promise<void>): Promise<void> {
  if (step.verb === "navigate") {
    await page.goto(step.url, { waitUntil: "domcontentloaded", timeout: STEP_MS_MAX });
    return;
  }
  const selector = `aria/[name="${step.name}"][role="${step.role}"]`;
  const frame = await frameWith(pages, selector);
  if (step.verb === "wait_for") return;
  await acts();
  // Pages in the background draw nothing, and an element is acted on only once it stands still.
  await frame.page().bringToFront();
  const element = frame.locator(selector).setTimeout(STEP_MS_MAX);
  if (step.verb === "click") await element.click();
  else if (step.verb === "select") await element.fill(step.value);
  else {
    if (!step.secret && (await isPassword(frame, selector)))
      throw new LoginError(
        "usage",
        "a password does not belong into a script: let env name a variable that holds it, or file a file",
      );
    await element.fill(step.text);
  }
}

async function isPassword(frame: Frame, selector: string): Promise<boolean> {
  const element = await frame.$(selector);
  return (await element?.evaluate((field) => (field as unknown as { type?: string }).type)) === "password";
}

/** The pages of a browser, including those that open later. */
interface Pages extends Disposable {
  open(): Page[];
  /** Calls `look` with each present and future page, until it is disposed. */
  each(look: (page: Page) => void): Disposable;
}

function watchPages(browser: Browser): Pages {
  const open = new Set<Page>();
  const lookers = new Set<(page: Page) => void>();
  // A script has no reader for a login's dialogs, so they are accepted.
  const agree = (dialog: Dialog) => void dialog.accept().catch(() => undefined);
  const add = (page: Page | null) => {
    if (!page || open.has(page)) return;
    open.add(page);
    page.on("dialog", agree);
    page.once("close", () => open.delete(page));
    for (const look of lookers) look(page);
  };
  const created = (target: Target) => {
    // A page that closes at once cannot be acted in.
    if (target.type() === "page") target.page().then(add, () => undefined);
  };
  browser.on("targetcreated", created);
  for (const target of browser.targets()) created(target);
  return {
    open: () => [...open],
    each(look) {
      lookers.add(look);
      for (const page of open) look(page);
      return { [Symbol.dispose]: () => void lookers.delete(look) };
    },
    [Symbol.dispose]: () => void browser.off("targetcreated", created),
  };
}

/** Returns the frame that shows the element first. Rejects if none does in time. */
async function frameWith(pages: Pages, selector: string): Promise<Frame> {
  const { promise, resolve } = Promise.withResolvers<Frame>();
  const found = new AbortController();
  const lookIn = async (frame: Frame) => {
    while (!found.signal.aborted) {
      try {
        await frame.waitForSelector(selector, { signal: found.signal, timeout: LOOK_MS_MAX });
        return resolve(frame);
      } catch (error) {
        // The document went away during the search. Its frame is searched again after the navigation.
        if (!(error instanceof TimeoutError)) return;
      }
    }
  };
  const look = (frame: Frame) => void lookIn(frame);
  const looked: Page[] = [];
  using _watched = pages.each((page) => {
    looked.push(page);
    page.on("framenavigated", look);
    page.on("frameattached", look);
    for (const frame of page.frames()) look(frame);
  });
  try {
    return await within({ timeMs: STEP_MS_MAX, late: () => new NotShown() }, promise);
  } finally {
    found.abort();
    for (const page of looked) page.off("framenavigated", look).off("frameattached", look);
  }
}

/** No page showed the element in time. */
class NotShown extends Error {
  override readonly name = "NotShown";
}

/** Leaves out puppeteer's message, except Chromium's name of a network error. `words`: the texts of the pages. */
function failed(step: string, pages: Pages, words: readonly string[], error: unknown): LoginError {
  if (error instanceof LoginError) return new LoginError("usage", `${step}: ${error.message}`, error);
  const at = pages.open().map((page) => placeOf(page.target().url()));
  const net = /net::(ERR_\w+)/.exec((error as Error).message)?.[1];
  const why =
    error instanceof NotShown
      ? `no page showed it within ${STEP_MS_MAX / 1000} s`
      : net
        ? `the browser says ${net}`
        : "it could not be done";
  const says = words.length > 0 ? `; the page says ${words.join(" and ")}` : "";
  return new LoginError(
    "failed",
    `${step}: ${why}${says}; the browser is at ${at.join(" and ") || "no page"}`,
    error,
  );
}

function wordsOf(step: LoginStep): string {
  if (step.verb === "navigate") return `navigate ${placeOf(step.url)}`;
  return `${step.verb} ${step.role} "${step.name}"`;
}
