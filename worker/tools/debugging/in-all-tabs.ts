// Works on all tabs of a session. A tab with an open dialog does the work later, because Chrome keeps the order.
import { isHalt } from "../../tab/interrupts.ts";
import { Page } from "../../tab/page.ts";
import type { Tab } from "../../tab/tab.ts";
import type { ToolContext } from "../tool.ts";

export async function inAllTabs<T>(
  { session, call }: ToolContext,
  work: (tab: Tab) => Promise<T>,
): Promise<T[]> {
  const done = await Promise.all(
    session.tabs.open.map(async (tab) => {
      const working = work(tab);
      try {
        return await new Page(tab, call).during(working, { whilePaused: true });
      } catch (error) {
        if (isHalt(error) || !tab.isOpen) return undefined;
        throw error;
      }
    }),
  );
  return done.filter((each) => each !== undefined);
}
