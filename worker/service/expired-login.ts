// After a call: whether the role's login has expired, and if a fresher one lies in its file, that it is loaded.

import { fail } from "../../proto/errors/catalogue.ts";
import { type Candidate, type ElementData, named } from "../../proto/errors/entry.ts";
import type { Tool } from "../../proto/tools/catalogue.ts";
import { navigate } from "../actions/navigation.ts";
import type { Activity } from "../activity/activity.ts";
import { duringCall } from "../core/call.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { timeLeftMs } from "../core/time-left.ts";
import { refsIn } from "../refs/ref-text.ts";
import { type AuthCheck, type ExpirySign, expirySign, isLogin } from "../session-login/auth-check.ts";
import { shownUrl } from "../snapshot/quote.ts";
import type { Page } from "../tab/page.ts";
import type { ToolContext } from "../tools/tool.ts";

/** A page that is late to show that one is logged in. */
const TEXT_MS_MAX = 1_000;
/** A page that hangs. */
const ANSWER_MS_MAX = 1_000;
/** How many elements of a like name are looked through for the one that was meant. */
const ALIKE_MAX = 20;

/** A call's reply, as far as it tells what the call was about. */
export interface Replied {
  requestedUrl?: string;
  element?: ElementData | null;
}

/** A page after a call of a role whose login can be checked. */
interface Checked {
  context: ToolContext;
  check: AuthCheck;
  page: Page;
  /** What the tab showed after the call before. */
  before: string | undefined;
  /** The call was to bring another page; others act in the one that is shown, or only look at it. */
  isArrival: boolean;
}

const ARRIVALS: ReadonlySet<string> = new Set(["browser_navigate", "browser_navigate_back", "browser_tabs"]);

/**
 * Looks whether the page that a call has led to tells that the login has expired. Throws AUTHENTICATION_EXPIRED then,
 * after a fresher login was loaded where its file has one. Nothing is asked for roles without `authCheck`.
 */
export async function checkLogin(
  context: ToolContext,
  page: Page,
  tool: Tool,
  replied: Replied,
): Promise<void> {
  const { role, session } = context;
  const { tab } = page;
  const check = role.authCheck;
  if (!check || tab.dialog || !tab.isOpen || tab.activity.navigating) return;
  if (tool.readOnly && !session.loginSight.isNew(tab)) return;
  const before = session.loginSight.shown(tab);
  const isArrival = ARRIVALS.has(tool.name);
  const checked = { context, check, page, before: before?.url, isArrival };
  const asked = askedInPage(tab.activity, before?.loaderId);
  const sign = await lookForSign(checked, replied.requestedUrl);
  if (!sign) return;
  const words = `${sign.words} ${shownUrl(sign.url)}`;
  const isAction = !isArrival && !tool.readOnly;
  const pages = isAction ? [before?.url, asked] : [replied.requestedUrl, asked, before?.url];
  const refused = pages.find((each) => each !== undefined && !isLogin(check, each)) ?? sign.url;
  // What is recorded outlives the page: it has no place for what a query or fragment may hold.
  const recorded = `${sign.words} ${withoutQuery(shownUrl(sign.url))}`;
  role.failures.loginExpired(role.authPath, recorded, withoutQuery(refused));
  const loaded = await loadFresher(checked, pages);
  const { element } = replied;
  throw fail("AUTHENTICATION_EXPIRED", {
    role: role.config.name,
    authPath: role.authPath,
    reason: words,
    effect: sign.effect,
    ...(element && { element: elementOf(element) }),
    ...loaded,
    ...(element && loaded.reloaded && { candidates: await findAgain(page, element) }),
  });
}

interface Sign extends ExpirySign {
  url: string;
}

/** What tells of an expired login on the page; what it shows is remembered. */
async function lookForSign(
  {
    context: {
      session,
      role: { failures },
    },
    check,
    page,
    before,
    isArrival,
  }: Checked,
  requestedUrl: string | undefined,
): Promise<Sign | undefined> {
  const { tab } = page;
  const { url, activity } = tab;
  const sight = session.loginSight;
  const isNew = sight.isNew(tab);
  const sawText = sight.expectsText(tab);
  const asked = [requestedUrl, askedInPage(activity, sight.shown(tab)?.loaderId)];
  const showsText = await hasText(page, check.loggedInText, sawText ? TEXT_MS_MAX : 0);
  sight.remember(tab, showsText === true);
  const sign = expirySign(check, {
    url,
    isNew,
    // Who stands on the login page and is shown it again, by a wrong password perhaps, has not been sent there.
    asked: [...asked, isArrival ? undefined : before].filter((each) => each !== undefined),
    status: activity.document?.status ?? 0,
    showsText,
    sawText,
  });
  const isBack = url !== "" && withoutQuery(url) === failures.refusedPage && !isLogin(check, url);
  if (!sign && (showsText === true || (isBack && (activity.document?.status ?? 0) < 400)))
    failures.loginWorks();
  return sign && { ...sign, url };
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url;
}

/** The address that a link, a form or a call asked for, and a new document came of. */
function askedInPage({ document }: Activity, loaderBefore: string | undefined): string | undefined {
  return document && document.loaderId !== loaderBefore && !document.byPage
    ? document.requestedUrl
    : undefined;
}

/** Whether the page shows the text, or does so soon; undefined where there is none to look for, or the page does not say. */
async function hasText(page: Page, text: string, timeMs: number): Promise<boolean | undefined> {
  if (text === "") return undefined;
  const left = timeLeftMs(page.call, "login");
  const waitMs = Math.max(0, Math.min(timeMs, left));
  try {
    const asked = () => page.ask(page.main(), "waitFor", { text }, waitMs);
    return (await withinTime(asked, Math.min(waitMs + ANSWER_MS_MAX, left))).met;
  } catch (error) {
    // A page that went away, asks something or does not answer shows nothing that could be relied on.
    const isUnsaid = isGone(error) || error instanceof FrameTimeout || page.tab.dialog || !page.tab.isOpen;
    if (isUnsaid && !page.call.signal.aborted) return undefined;
    throw error;
  }
}

/** Loads a fresher login where there is one, and opens the first of the pages that is not the login page. */
async function loadFresher(
  checked: Checked,
  pages: readonly (string | undefined)[],
): Promise<{ reloaded: boolean; page?: string }> {
  const { context, check, page } = checked;
  const { call, role, session } = context;
  call.waitsFor = "a fresher login to be loaded";
  call.signal.throwIfAborted();
  const loading = session.context.login.renew(page.tab);
  // Half a login is none, and no other call can have the tab meanwhile.
  session.turns.hold(loading);
  if (!(await duringCall(call, loading))) return { reloaded: false };
  const url = [...pages, role.config.startUrl].find(
    (each) => each !== undefined && /^https?:/.test(each) && !isLogin(check, each),
  );
  if (url === undefined) return { reloaded: true };
  const { requestedUrl } = await navigate(page, url);
  // A fresher login that the site does not accept either is none.
  const sign = await lookForSign(checked, requestedUrl);
  return { reloaded: sign === undefined, page: shownUrl(url) };
}

function elementOf({ ref, role, name, tag }: ElementData): ElementData {
  return { ref, role, name, tag };
}

/** Where the element is on the page that was opened again, if one alone can be meant. */
async function findAgain(page: Page, element: ElementData): Promise<Candidate[]> {
  const { ref, role, name } = element;
  // A frame's elements are of another document, which may still be loading.
  if (!role || /^f\d/.test(ref) || page.tab.dialog || !page.tab.isOpen) return [];
  const { hits, total } = await page.ask(page.main(), "find", { role, name, limit: ALIKE_MAX }, "");
  const same = hits.filter(({ line }) => line.includes(named({ role, name })));
  const [found] = same.length === 1 && total <= ALIKE_MAX ? [...refsIn(same[0]?.line ?? "")] : [];
  return found ? [{ ref: found.whole, role, name }] : [];
}
