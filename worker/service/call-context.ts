// Gives a tool its context: the call's session and its tab, opened and loaded.
import { within } from "../../proto/machine/within.ts";
import { findTool } from "../../proto/tools/read-tools.ts";
import { watchForHang } from "../actions/hang.ts";
import { finish, giveUpAtTimeout } from "../actions/navigation.ts";
import type { Call } from "../core/call.ts";
import type { Role } from "../role/role.ts";
import type { Session } from "../session/session.ts";
import { haltError } from "../tab/interrupts.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import type { Threads } from "../threads/threads.ts";
import type { ToolContext } from "../tools/tool.ts";

/** The parts that all calls of a worker share. */
export interface CallEnvironment {
  /** Returns the role. Throws WORKER_UNAVAILABLE before the role is started. */
  role(): Role;
  threads: Threads;
}

/** The context of a tool, and the page that the tool opened. */
export interface CallContext extends ToolContext {
  opened: Page | undefined;
}

/**
 * Returns the context of a call. Rejects with the error that ends the call, or with the reason why there is no session.
 */
export async function inSession(
  call: Call,
  { role: roleOf, threads }: CallEnvironment,
): Promise<CallContext> {
  const role = roleOf();
  // A watch is left out because it lasts long and mostly waits.
  if (!findTool(call.tool)?.watches) role.sessions.callBegan(call.signal);
  const session = await within(call, role.sessions.of(call.sessionKey));
  await within(call, session.rest.use(call.signal));
  const context: CallContext = {
    call,
    role,
    session,
    threads,
    opened: undefined,
    page: async (options) => {
      context.opened = await openPage(session, call, options);
      return context.opened;
    },
  };
  return context;
}

/** Returns the tab that the call names, or the session's current one. */
export async function tabOf(session: Session, call: Call, options?: { blank?: boolean }): Promise<Tab> {
  call.waitsFor = "the tab to open";
  // The session does not see the replies of a watch, so a loss is reported in another call.
  if (!findTool(call.tool)?.watches) session.losses.report(call.tab || session.tabs.currentId, "none");
  const opening = call.tab ? session.tabNamed(call.tab, options) : session.currentTab(options);
  const tab = await within(call, opening);
  call.tab = tab.id;
  return tab;
}

/** Opens the call's tab. If the tab is new or a dialog held up its navigation, the page is loaded first. */
async function openPage(session: Session, call: Call, options?: { blank?: boolean }): Promise<Page> {
  const tab = await tabOf(session, call, options);
  // The paused scripts would not run on in the page that comes.
  if (findTool(call.tool)?.arrival === "page") await within(call, tab.debugging.abandon(call.signal));
  if (tab.halt) throw haltError(tab.halt);
  const page = new Page(tab, call);
  giveUpAtTimeout(page);
  watchForHang(page);
  if (tab.navigation.held && !options?.blank) {
    using reaction = tab.activity.react();
    await finish(page, reaction);
  }
  return page;
}
