// Opens addresses: from the request to the settled page, or to the reason why there is none.
import type { Protocol } from "puppeteer-core";
import { type ErrorData, fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { withoutUserinfo } from "../../proto/text/quote.ts";
import type { Reaction } from "../activity/reaction.ts";
import { haltError, isHalt } from "../tab/interrupts.ts";
import { loaded, NAVIGATION_MS_MAX } from "../tab/load.ts";
import type { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import { blocked, takeBlocked } from "./blocked-document.ts";
import { causeOf } from "./net-errors.ts";
import { settled, watched } from "./settle.ts";

/** The result of a navigation. */
export interface Arrival {
  requestedUrl: string;
  finalUrl: string;
  /** The HTTP status, or 0 if there is none. */
  status: number;
  redirects: number;
  timeMs: number;
  /** The address was a download, so the tab still shows its old page. */
  isDownload: boolean;
}

/**
 * Opens an address in the tab. Throws NAVIGATION_FAILED, NAVIGATION_BLOCKED or TIMEOUT, or DIALOG_OPEN if the page
 * opens a dialog first.
 */
export async function navigate(page: Page, url: string): Promise<Arrival> {
  let isDownload = false;
  const address = await page.during(page.tab.credentials.takeFrom(url));
  const arrival = await arrive(page, url, async () => {
    const answer = await page.tab.client.send("Page.navigate", { url: address });
    const { errorText, loaderId = "" } = answer;
    if (!errorText) return;
    isDownload = answer.isDownload === true || page.tab.unreported.facts.downloads !== undefined;
    if (isDownload) return;
    // Chrome's own error page is on its way. This waits for it, so that the next read does not see the old page.
    await loaded(page);
    throw failed(page.tab, { url, errorText, loaderId, status: page.tab.activity.main.statusOf(loaderId) });
  });
  const { document } = page.tab.activity;
  // Full Chrome shows an error page of its own for such an answer; the headless shell shows nothing.
  if (!isDownload && document && document.status >= 400 && document.bytes === 0)
    throw failed(page.tab, { ...document, url, errorText: "net::ERR_HTTP_RESPONSE_CODE_FAILURE" });
  return isDownload ? { ...arrival, isDownload, status: 0, redirects: 0 } : arrival;
}

/** Goes back one entry. Throws NO_HISTORY if there is none. `opener`: the tab that opened this one. */
export async function navigateBack(page: Page, opener?: string): Promise<Arrival> {
  const { currentIndex, entries } = await historyOf(page);
  const entry = entries[currentIndex - 1];
  // Each tab begins with an empty page of its own, which the client did not open.
  const isBeginning = currentIndex === 1 && entry?.url === "about:blank";
  if (!entry || isBeginning) throw fail("NO_HISTORY", { url: page.tab.url, ...(opener && { opener }) });
  return await goTo(page, entry);
}

/** Goes forward one entry. Throws NO_HISTORY if there is none. */
export async function navigateForward(page: Page): Promise<Arrival> {
  const { currentIndex, entries } = await historyOf(page);
  const entry = entries[currentIndex + 1];
  if (!entry) throw fail("NO_HISTORY", { url: page.tab.url, forward: true });
  return await goTo(page, entry);
}

/** Loads the page anew. */
export async function reload(page: Page): Promise<Arrival> {
  const { client, url } = page.tab;
  return await leave(page, url, () => client.send("Page.reload"));
}

function historyOf(page: Page): Promise<Protocol.Page.GetNavigationHistoryResponse> {
  return page.during(page.tab.client.send("Page.getNavigationHistory"));
}

function goTo(page: Page, { id: entryId, url }: Protocol.Page.NavigationEntry): Promise<Arrival> {
  return leave(page, url, () => page.tab.client.send("Page.navigateToHistoryEntry", { entryId }));
}

/**
 * Sends a command that leads away from the document. Chrome answers before it begins: the navigation, or a dialog that
 * asks first, comes as an event. The wait ends if the page stays, or if the call has ended.
 */
async function leave(page: Page, url: string, send: () => Promise<void>): Promise<Arrival> {
  const { tab } = page;
  const { activity } = tab;
  const before = activity.main.navigations;
  return await arrive(page, url, async () => {
    await send();
    while (tab.isOpen && tab.navigation.held && activity.main.navigations === before)
      await activity.changed();
  });
}

/**
 * Sends a navigation and waits for its page. A dialog ends the wait with DIALOG_OPEN. The navigation itself goes on
 * once the dialog is answered.
 */
async function arrive(page: Page, url: string, send: () => Promise<void>): Promise<Arrival> {
  const { tab } = page;
  page.check();
  const began = performance.now();
  using reaction = watched(page);
  page.call.waitsFor = `an answer from ${hostOf(url)}`;
  tab.unreported.take("blocked");
  const sent = send();
  tab.navigation.began(sent);
  try {
    await page.during(sent);
    await finish(page, reaction);
    const blockedError = takeBlocked(tab);
    if (blockedError) throw blockedError;
  } catch (error) {
    if (!tab.halt) tab.navigation.ended();
    if (page.call.signal.aborted && !page.call.heldUp?.()) tab.navigation.giveUp();
    // A breakpoint in the page that comes is a result. The call that resumes the page finishes the navigation.
    if (!tab.interrupts.pause || !isHalt(error)) throw heldUp(error);
  }
  return {
    requestedUrl: withoutUserinfo(url),
    finalUrl: withoutUserinfo(tab.url),
    status: tab.activity.document?.status ?? 0,
    redirects: tab.activity.document?.redirects ?? 0,
    timeMs: Math.round(performance.now() - began),
    isDownload: false,
  };
}

/** Marks a dialog that came up while the call's own page was loading or closing. Its answer lets that finish. */
export function heldUp(error: unknown): unknown {
  if (!isTroupeError(error) || error.type !== "DIALOG_OPEN") return error;
  return fail("DIALOG_OPEN", { ...(error.data as ErrorData["DIALOG_OPEN"]), holdsUp: true }, error);
}

/** Gives up a navigation when its call times out. It would otherwise block later calls from seeing the page. */
export function giveUpAtTimeout({ tab, call }: Page): void {
  const giveUp = () => call.signal.reason?.type === "TIMEOUT" && tab.navigation.timedOut(NAVIGATION_MS_MAX);
  call.signal.addEventListener("abort", giveUp, { once: true });
}

/**
 * Waits for the rest of a navigation, once its document is on the way. Throws DIALOG_OPEN if the page opens a dialog
 * meanwhile.
 */
export async function finish(page: Page, reaction: Reaction): Promise<void> {
  const { tab } = page;
  const isComplete = await loaded(page, reaction);
  if (tab.halt) throw haltError(tab.halt);
  // A document whose time is up is not waited for a second time.
  if (!isComplete) tab.activity.settled(reaction, "out-of-time");
  await settled(page, reaction);
  if (tab.halt) throw haltError(tab.halt);
  tab.navigation.ended();
  const failure = tab.failures.mainFrameFailure(tab);
  if (failure)
    throw fail("NAVIGATION_FAILED", {
      url: tab.url,
      reason: `Main frame injection failed - page unusable (${failure.error})`,
      cause: "main-frame",
    });
}

/** A navigation that Chrome reports as failed. */
interface Failed {
  url: string;
  errorText: string;
  loaderId: string;
  status: number;
}

/** Chrome also reports "aborted" if the server answered without content (RFC 9110, 15.3.5). */
function failed(tab: Tab, { url, errorText, loaderId, status }: Failed) {
  const blockedError = takeBlocked(tab);
  if (blockedError) return blockedError;
  if (status === 204 || status === 205)
    return fail("NAVIGATION_FAILED", { url, reason: `HTTP status ${status}`, cause: "no-content" });
  // A redirect may have led to another address.
  const asked = tab.activity.main.addressOf(loaderId) ?? url;
  const behind = tab.owner.wall.connections.behind(errorText, asked);
  if (behind?.reason) return blocked(tab, asked, behind.reason);
  const netError = behind?.netError ?? errorText;
  const cause = causeOf(netError, status);
  const reason = status >= 400 ? `HTTP status ${status}, without a page` : netError;
  return fail("NAVIGATION_FAILED", { url, reason, cause });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || url.slice(0, 60) : url.slice(0, 60);
}
