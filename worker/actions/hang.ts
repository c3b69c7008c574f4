// Notices a page that its own script blocks while a call waits for it. Frees the page when the call has failed.
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import { redactedAddress } from "../../proto/text/redact.ts";
import { findTool } from "../../proto/tools/read-tools.ts";
import type { Call } from "../core/call.ts";
import type { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";

/** The page is asked after this share of the call's time. If it has not answered by the end, it has hung since then. */
const ASKED_AT = 0.5;
/** A page that has been silent for so long at its call's end counts as hanging, whatever the call's result. */
const SILENT_MS = 2_000;
/** A page has this long to answer once its script has been stopped. */
const FREED_MS = 1_000;
const CRASHED_MS = 1_000;

/** Checks from the middle of the call on if the page answers at all. */
export function watchForHang(page: Page): void {
  const { call, tab } = page;
  const leftMs = call.deadline - performance.now();
  let askedAtMs = Number.POSITIVE_INFINITY;
  const timer = setTimeout(
    () => {
      askedAtMs = performance.now();
      ask(page);
    },
    Math.max(0, leftMs * ASKED_AT),
  );
  const over = () => {
    clearTimeout(timer);
    const reason = call.signal.reason?.type;
    // A page that waits for a request's answer may be silent for as long as a person decides about it.
    if (call.heldUp?.()) return;
    const isLong = performance.now() - askedAtMs >= SILENT_MS && mayAnswer(tab);
    if (call.silentPage === page && (isLong || reason === "PAGE_UNRESPONSIVE")) begin(tab, free(tab));
    else if (reason === "TIMEOUT" && tab.isOpen && !tab.halt && tab.activity.navigating)
      begin(tab, freeUnlessAnswering(tab));
  };
  call.signal.addEventListener("abort", over, { once: true });
}

function begin(tab: Tab, freeing: Promise<void>): void {
  tab.lifecycle.hangs(freeing.catch((error: Error) => recordCleanup(tab, error)));
}

/**
 * The page that was to come is given up. The page that is shown answers again, unless its process is what blocks both.
 */
async function freeUnlessAnswering(tab: Tab): Promise<void> {
  if (!(await settlesIn(FREED_MS, answered(tab), tab))) await free(tab);
}

/** Returns the error of a call whose time is up. It blames the page, or the thing that the call waited for. */
export function outOfTime(call: Call, timeMs: number): TroupeError {
  const heldUp = call.heldUp?.();
  if (heldUp) return heldUp;
  const url = call.silentPage?.tab.url;
  if (url === undefined) return fail("TIMEOUT", { waitedFor: call.waitsFor, afterMs: timeMs });
  const effect = findTool(call.tool)?.readOnly ? "none" : "unknown";
  return fail("PAGE_UNRESPONSIVE", { url, effect });
}

/** Chrome passes no questions on to the page while a dialog is open or another page is on its way. */
function mayAnswer(tab: Tab): boolean {
  return tab.isOpen && !tab.halt && !tab.activity.navigating;
}

function ask(page: Page): void {
  const { call, tab } = page;
  if (!mayAnswer(tab)) return;
  call.silentPage = page;
  const spoke = () => {
    if (call.silentPage === page) call.silentPage = undefined;
  };
  answered(tab).then(spoke, spoke);
}

/** Resolves once the page's main thread gets to a question. */
function answered({ client }: Tab): Promise<unknown> {
  return client.send("Runtime.evaluate", { expression: "0" });
}

/**
 * Stops the script. If the page still does not answer, it is crashed, which opens it again. If it cannot be crashed,
 * the tab gets another process.
 */
async function free(tab: Tab): Promise<void> {
  tab.failures.incident(
    "page-unresponsive",
    `The page ${redactedAddress(tab.url)} did not respond; its script was stopped.`,
    tab,
  );
  const { client } = tab;
  // A process that does not run at all does not answer this command either.
  client.send("Runtime.terminateExecution").catch((error: Error) => recordCleanup(tab, error));
  if (await settlesIn(FREED_MS, answered(tab), tab)) return;
  if (!tab.isOpen || tab.halt) return;
  const { promise: crashed, resolve } = Promise.withResolvers<void>();
  client.once("Inspector.targetCrashed", resolve);
  client.send("Page.crash").catch((error: Error) => recordCleanup(tab, error));
  if ((await settlesIn(CRASHED_MS, crashed, tab)) || !tab.isOpen) return;
  tab.failures.incident(
    "page-unresponsive",
    `The page ${redactedAddress(tab.url)} could not be freed; it is opened again in another process.`,
    tab,
  );
  await tab.owner.replace(tab);
}

/** Returns true if the promise settles in time. A rejection is recorded and counts as settled. */
async function settlesIn(timeMs: number, wanted: Promise<unknown>, tab: Tab): Promise<boolean> {
  const settled = wanted.catch((error: Error) => recordCleanup(tab, error)).then(() => true);
  return (await within({ timeMs }, settled)) ?? false;
}

function recordCleanup(tab: Tab, error: Error): void {
  tab.failures.cleanup("free-hung-page", error);
}
