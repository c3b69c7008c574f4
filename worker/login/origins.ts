// Notes where pages of a browser came from, including popups, frames and pages that are closed by now.
import type { Browser, Frame, Page, Target } from "puppeteer-core";

/** A login never visits more origins than this. */
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
    // If a page closes at once, only its address is known.
    target.page().then(watch, () => undefined);
  };
  browser.on("targetcreated", created);
  browser.on("targetchanged", (target) => target.type() === "page" && note(target.url()));
  for (const target of browser.targets()) created(target);
  return origins;
}
