// browser_tabs: lists, opens, closes and selects the session's tabs in this role.
import { fail } from "../../../proto/errors/catalogue.ts";
import { within } from "../../../proto/machine/within.ts";
import { withoutUserinfo } from "../../../proto/text/quote.ts";
import { finish, giveUpAtTimeout, heldUp, navigate } from "../../actions/navigation.ts";
import type { Call } from "../../core/call.ts";
import { FrameTimeout, withinTime } from "../../core/frame-time.ts";
import { isGone } from "../../core/gone.ts";
import type { Session } from "../../session/session.ts";
import { checkAllowed, parseAddress } from "../../session/url-policy.ts";
import { quote, shownUrl } from "../../snapshot/quote.ts";
import { wholePage } from "../../snapshot/reply.ts";
import { haltError } from "../../tab/interrupts.ts";
import { Page } from "../../tab/page.ts";
import type { Tab } from "../../tab/tab.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";

export const tabs: ToolHandler<"Tabs"> = async (request, context) => {
  const { session } = context;
  const said = await act(request, context);
  await Promise.all(session.tabs.open.map((tab) => tab.readTitle()));
  const closed = new Set(session.tabs.closed.aside.map(({ id }) => id));
  const list = [...session.tabs.open, ...session.tabs.closed.aside].map(({ id, title, url }) => ({
    id,
    title,
    url: withoutUserinfo(url),
    current: id === session.tabs.currentId,
  }));
  const paused = new Set(
    session.tabs.open.filter(({ interrupts }) => interrupts.ownPause).map(({ id }) => id),
  );
  const lines = list.map(({ id, title, url, current }) => {
    const state = closed.has(id) ? CLOSED : paused.has(id) ? PAUSED : "";
    return `${id}${current ? " (current)" : ""} ${quote(title)} ${shownUrl(url)}${state}`;
  });
  const current = session.tabs.get();
  return {
    text: [...said.before, ...lines, ...said.after].join("\n"),
    tabs: list,
    shown: said.read ?? (current && new Page(current, context.call)),
  };
};

const PAUSED = " (paused by the debugger)";
/** Stands after the address of a tab whose page was closed to free memory. */
const CLOSED = " (closed to free memory; a call on it opens the page again)";

/** A page has this long to accept or refuse being closed. */
const ANSWER_MS = 2_000;

/** `read`: the page that `after` shows. */
type Said = { before: string[]; after: string[]; read?: Page };

async function act(request: Parameters<typeof tabs>[0], context: ToolContext): Promise<Said> {
  switch (request.action) {
    case "TAB_ACTION_LIST":
      await within(context.call, context.session.opener.restored());
      return {
        before: context.session.tabs.ids.length
          ? []
          : ["No tabs are open in this role; the next call on a page opens one."],
        after: [],
      };
    case "TAB_ACTION_NEW":
      return await openTab(request.url, context);
    case "TAB_ACTION_CLOSE":
      return await closeTab(request.tab, context);
    case "TAB_ACTION_SELECT":
      return await selectTab(request.tab, context);
    default:
      throw fail("INVALID_ARGUMENT", {
        argument: "action",
        problem: "action is missing",
        allowed: ["list", "new", "close", "select"],
      });
  }
}

async function openTab(url: string | undefined, { session, role, call }: ToolContext): Promise<Said> {
  const address = url ? parseAddress(url) : undefined;
  if (address) checkAllowed(address, role.policy);
  // Restored tabs get their ids first, before a new one gets its own.
  await within(call, session.opener.restored());
  const tab = await session.opener.open("", {
    signal: call.signal,
    meantFor: address && withoutUserinfo(address.href),
  });
  const page = new Page(tab, call);
  if (!address) return { before: [`Opened tab ${tab.id}`], after: [] };
  try {
    await navigate(page, address.href);
  } finally {
    // After the navigation, the page's own address counts.
    tab.navigation.committed();
  }
  return { before: [`Opened tab ${tab.id}`], after: ["", await wholePage(page)], read: page };
}

async function closeTab(id: string | undefined, { session, call }: ToolContext): Promise<Said> {
  const aside = session.forgetAside(id);
  if (aside) return { before: [`Closed tab ${aside}`], after: [] };
  const tab = await tabToClose(id, session, call);
  if (!tab) return { before: ["No tab is open in this role, so none was closed."], after: [] };
  const { ownDialog } = tab.interrupts;
  // A page may open dialog after dialog, so they do not keep its tab open. Only a beforeunload dialog must be answered
  // first.
  if (ownDialog && ownDialog.type !== "beforeunload") {
    await within(call, closed(tab, session.opener.discard(tab)));
    return {
      before: [`Closed tab ${tab.id} with its ${ownDialog.type} ${quote(ownDialog.text)}`],
      after: [],
    };
  }
  if (tab.interrupts.ownPause) {
    // A paused page cannot be asked if it may be left.
    await within(call, closed(tab, session.opener.discard(tab)));
    return { before: [`Closed tab ${tab.id}, which was paused`], after: [] };
  }
  const page = new Page(tab, call);
  page.check();
  try {
    // This asks the page, which may open a dialog: then the tab stays until that is answered. An event reports the
    // closing.
    await page.during(withinTime(() => closed(tab, tab.client.send("Page.close")), ANSWER_MS));
  } catch (error) {
    if (tab.isOpen && !(error instanceof FrameTimeout)) throw heldUp(error);
    // A page that hangs is closed without its consent.
    if (tab.isOpen) await within(call, closed(tab, session.opener.discard(tab)));
  }
  return { before: [`Closed tab ${tab.id}`], after: [] };
}

/** Returns the tab to close. A session without tabs opens none just to close it. */
async function tabToClose(id: string | undefined, session: Session, call: Call): Promise<Tab | undefined> {
  if (id !== undefined) return await within(call, session.tabNamed(id));
  await within(call, session.opener.restored());
  return session.tabs.get();
}

/** Resolves when the tab is closed. Rejects if Chrome refuses to close it. */
async function closed(tab: Tab, asked: Promise<unknown>): Promise<void> {
  try {
    await Promise.race([asked, tab.interrupts.whenClosed]);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  await tab.interrupts.whenClosed;
}

async function selectTab(id: string | undefined, { session, call }: ToolContext): Promise<Said> {
  if (id === undefined)
    throw fail("INVALID_ARGUMENT", {
      argument: "tab",
      problem: "tab is missing: which tab to select",
      allowed: session.tabs.ids,
    });
  session.losses.report(id, "none");
  const tab = await within(call, session.tabNamed(id));
  session.tabs.select(tab.id);
  session.changed();
  const page = new Page(tab, call);
  if (tab.halt) return { before: [`Selected tab ${tab.id}`], after: [haltError(tab.halt).message] };
  giveUpAtTimeout(page);
  if (tab.navigation.held) await arrived(page);
  return { before: [`Selected tab ${tab.id}`], after: ["", await wholePage(page)], read: page };
}

/** Finishes a navigation that is still under way. The tab stays selected, even if the page opens a dialog meanwhile. */
async function arrived(page: Page): Promise<void> {
  try {
    using reaction = page.tab.activity.react();
    await finish(page, reaction);
  } catch (error) {
    throw heldUp(error);
  }
}
