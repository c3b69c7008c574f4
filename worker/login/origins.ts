// Where pages of a browser came from: popups and frames too, and those that are closed by now.
import type { Browser, Frame, Page, Target } from "puppeteer-core";

/** Whoever opens more is not logging in any more. */
const ORIGINS_MAX = 100;

/** Notes every origin that pages and frames of the browser come from, from now on. */
export function watchOrigins(browser: Browser): ReadonlySet<string> {
  const origins = new Set<string>();
  const note = (url: string) => {
    if (/^https?:/.test(url) && origins.size < ORIGINS_MAX) origins.add(new URL(url).origin);
  };
  const noteFrame = (frame: Frame) => note(frame.url());
  const watch = (page: Page | null) => {
    for (const frame of page?.frames() ?? []) noteFrame(frame);
    page?.on("framenavigated", noteFrame);
  };
  const created = (target: Target) => {
    if (target.type() !== "page") return;
    note(target.url());
    // Of a page that is closed at once, its address is all that is known.
    target.page().then(watch, () => undefined);
  };
  browser.on("targetcreated", created);
  browser.on("targetchanged", (target) => target.type() === "page" && note(target.url()));
  for (const target of browser.targets()) created(target);
  return origins;
}
