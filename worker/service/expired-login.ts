// Checks after a call if the role's login has expired. If its file holds a fresher login, loads that one.

import { fail } from "../../proto/errors/catalogue.ts";
import type { Candidate, ElementData } from "../../proto/errors/steps/step.ts";
import { within } from "../../proto/machine/within.ts";
import { named } from "../../proto/text/named.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { navigate } from "../actions/navigation.ts";
import type { Activity } from "../activity/activity.ts";
import { FrameTimeout, withinTime } from "../core/frame-time.ts";
import { isGone } from "../core/gone.ts";
import { timeLeftMs } from "../core/time-left.ts";
import { refsIn } from "../refs/ref-text.ts";
import { type AuthCheck, type ExpirySign, expirySign, isLogin } from "../session-login/auth-check.ts";
import { shownUrl } from "../snapshot/quote.ts";
import type { Page } from "../tab/page.ts";
import type { ToolContext } from "../tools/tool.ts";

/** A page may be this late in showing the text that proves a login. */
const TEXT_MS_MAX = 1_000;
/** A page that has not answered after this time is taken to hang. */
const ANSWER_MS_MAX = 1_000;
/** At most this many elements with a similar name are compared with the intended element. */
const ALIKE_MAX = 20;

/** The part of a call's reply that names its target. */
export interface Replied {
  requestedUrl?: string;
  element?: ElementData | null;
}

/** A page after a call, in a role whose login can be checked. */
interface Checked {
  context: ToolContext;
  check: AuthCheck;
  page: Page;
  /** The address that the tab showed after the previous call. */
  before: string | undefined;
  /**
   * Is true if the call's purpose was to open another page. Other calls act in the page that is shown, or only read it.
   */
  isArrival: boolean;
}

/**
 * Checks if the page after a call shows that the login has expired. If so, loads a fresher login if its file has one,
 * and throws AUTHENTICATION_EXPIRED. Roles without `authCheck` are not checked.
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
  if (!check || tab.halt || !tab.isOpen || tab.activity.navigating) return;
  if (tool.readOnly && !session.loginSight.isNew(tab)) return;
  const before = session.loginSight.shown(tab);
  const isArrival = tool.arrival !== undefined;
  const checked = { context, check, page, before: before?.url, isArrival };
  const asked = askedInPage(tab.activity, before?.loaderId);
  const sign = await lookForSign(checked, replied.requestedUrl);
  if (!sign) return;
  const words = `${sign.words} ${shownUrl(sign.url)}`;
  const isAction = !isArrival && !tool.readOnly;
  const pages = isAction ? [before?.url, asked] : [replied.requestedUrl, asked, before?.url];
  const refused = pages.find((each) => each !== undefined && !isLogin(check, each)) ?? sign.url;
  // The record outlives the page, so it must not hold the query or the fragment.
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

/** Looks for the sign of an expired login on the page, and remembers what the page shows. */
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
    // A reader on the login page may be shown it again, for example after a wrong password. It was not redirected
    // there.
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

/** Returns the address that a link, a form or a call asked for, if it led to a new document. */
function askedInPage({ document }: Activity, loaderBefore: string | undefined): string | undefined {
  return document && document.loaderId !== loaderBefore && !document.byPage
    ? document.requestedUrl
    : undefined;
}

/**
 * Returns true if the page shows the text in time. Returns undefined if there is no text to look for, or if the page
 * does not answer.
 */
async function hasText(page: Page, text: string, timeMs: number): Promise<boolean | undefined> {
  if (text === "") return undefined;
  const left = timeLeftMs(page.call, "login");
  const waitMs = Math.max(0, Math.min(timeMs, left));
  try {
    const asked = () => page.ask(page.main(), "waitFor", { text }, waitMs);
    return (await withinTime(asked, Math.min(waitMs + ANSWER_MS_MAX, left))).met;
  } catch (error) {
    // A page that goes away, opens a dialog or does not answer gives no reliable evidence.
    const isUnsaid = isGone(error) || error instanceof FrameTimeout || page.tab.halt || !page.tab.isOpen;
    if (isUnsaid && !page.call.signal.aborted) return undefined;
    throw error;
  }
}

/** Loads a fresher login if there is one. Then opens the first of the pages that is not the login page. */
async function loadFresher(
  checked: Checked,
  pages: readonly (string | undefined)[],
): Promise<{ reloaded: boolean; page?: string }> {
  const { context, check, page } = checked;
  const { call, role, session } = context;
  call.waitsFor = "a fresher login to be loaded";
  call.signal.throwIfAborted();
  const loading = session.context.login.renew(page.tab);
  // A half-loaded login is of no use, so no other call may have the tab meanwhile.
  session.turns.hold(loading);
  if (!(await within(call, loading))) return { reloaded: false };
  const url = [...pages, role.config.startUrl].find(
    (each) => each !== undefined && /^https?:/.test(each) && !isLogin(check, each),
  );
  if (url === undefined) return { reloaded: true };
  const { requestedUrl } = await navigate(page, url);
  // A fresher login that the site rejects too does not count.
  const sign = await lookForSign(checked, requestedUrl);
  return { reloaded: sign === undefined, page: shownUrl(url) };
}

function elementOf({ ref, role, name, tag }: ElementData): ElementData {
  return { ref, role, name, tag };
}

/** Finds the element again on the reopened page. Returns nothing if it is ambiguous. */
async function findAgain(page: Page, element: ElementData): Promise<Candidate[]> {
  const { ref, role, name } = element;
  // A frame's elements belong to another document, which may still be loading.
  if (!role || /^f\d/.test(ref) || page.tab.halt || !page.tab.isOpen) return [];
  const { hits, total } = await page.ask(page.main(), "find", { role, name, limit: ALIKE_MAX });
  const same = hits.filter(({ line }) => line.includes(named({ role, name })));
  const [found] = same.length === 1 && total <= ALIKE_MAX ? [...refsIn(same[0]?.line ?? "")] : [];
  return found ? [{ ref: found.whole, role, name }] : [];
}
