// What a tool works with: the call's session, and its tab, opened and loaded.
import { findTool } from "../../proto/tools/catalogue.ts";
import { watchForHang } from "../actions/hang.ts";
import { finish, giveUpAtTimeout } from "../actions/navigation.ts";
import { type Call, duringCall } from "../core/call.ts";
import type { Role } from "../role/role.ts";
import type { Session } from "../session/session.ts";
import { Page } from "../tab/page.ts";
import type { Tab } from "../tab/tab.ts";
import type { Threads } from "../threads/threads.ts";
import type { ToolContext } from "../tools/tool.ts";

/** What all calls of a worker share. */
export interface CallEnvironment {
  /** The role; throws WORKER_UNAVAILABLE before it is started. */
  role(): Role;
  threads: Threads;
}

/** What tools work with, and the page that they opened. */
export interface CallContext extends ToolContext {
  opened: Page | undefined;
}

/** The context of a call. Rejects with what ends the call, or with why there is no session. */
export async function inSession(
  call: Call,
  { role: roleOf, threads }: CallEnvironment,
): Promise<CallContext> {
  const role = roleOf();
  // A watch lasts, and mostly waits.
  if (!findTool(call.tool)?.watches) role.sessions.callBegan(call.signal);
  const session = await duringCall(call, role.sessions.of(call.sessionKey));
  await duringCall(call, session.rest.use(call.signal));
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

/** The tab that the call names, or the session's current one. */
export async function tabOf(session: Session, call: Call, options?: { blank?: boolean }): Promise<Tab> {
  call.waitsFor = "the tab to open";
  // What a watch is told is not told to the session.
  if (!findTool(call.tool)?.watches) session.losses.report(call.tab || session.currentId, "none");
  const opening = call.tab ? session.tabNamed(call.tab, options) : session.currentTab(options);
  const tab = await duringCall(call, opening);
  call.tab = tab.id;
  return tab;
}

/** The call's tab; where it was just opened, or a dialog held up its navigation, its page is loaded first. */
async function openPage(session: Session, call: Call, options?: { blank?: boolean }): Promise<Page> {
  const tab = await tabOf(session, call, options);
  if (tab.dialog) throw tab.dialogError();
  const page = new Page(tab, call);
  giveUpAtTimeout(page);
  watchForHang(page);
  if (tab.heldNavigation && !options?.blank) {
    using reaction = tab.activity.react();
    await finish(page, reaction);
  }
  return page;
}
