// Gives the debugger's tools what they work on, and refuses what a role or a page does not allow.
import { fail } from "../../../proto/errors/catalogue.ts";
import { within } from "../../../proto/machine/within.ts";
import type { Stop } from "../../debugging/stop.ts";
import { Page } from "../../tab/page.ts";
import type { Tab } from "../../tab/tab.ts";
import type { ToolContext } from "../tool.ts";

/** Throws PERMISSION_DENIED if the role's configuration does not allow the debugger. */
export function checkRole({ role, call }: ToolContext): void {
  const { name } = role.config;
  if (role.config.debugger) return;
  throw fail("PERMISSION_DENIED", {
    what: `${call.tool} in role ${name}`,
    reason: `The debugger is off there: the configuration has to say roles.${name}.debugger: true.`,
  });
}

/** Throws DEBUGGER_NOT_ENABLED too if the session has not turned it on. */
export function checkEnabled(context: ToolContext): void {
  checkRole(context);
  if (!context.session.debugging.isOn) throw fail("DEBUGGER_NOT_ENABLED", { role: context.role.config.name });
}

/** Returns the call's tab. It is not asked anything, because its page may be paused. */
export async function tabOf({ session, call }: ToolContext): Promise<Tab> {
  call.waitsFor = "the tab to open";
  const tab = await within(call, call.tab ? session.tabNamed(call.tab) : session.currentTab());
  call.tab = tab.id;
  return tab;
}

/** Returns the tab that is paused: the call's own, or one that shares its process. Throws EXECUTION_NOT_PAUSED. */
export async function pausedPage(context: ToolContext): Promise<{ page: Page; stop: Stop }> {
  checkEnabled(context);
  const tab = await tabOf(context);
  const paused = context.session.tabs.get(tab.interrupts.pause?.tab);
  const stop = paused?.debugging.stop;
  if (!paused || !stop) throw fail("EXECUTION_NOT_PAUSED", { tab: tab.id });
  return { page: new Page(paused, context.call), stop };
}
