// debugger_execution: pauses the page's scripts, or lets them run on.
import { fail } from "../../../proto/errors/catalogue.ts";
import { goOn } from "../../actions/go-on.ts";
import { haltLine } from "../../snapshot/notes.ts";
import { Page } from "../../tab/page.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";
import { checkEnabled, pausedPage, tabOf } from "./debugged.ts";

export const debuggerExecution: ToolHandler<"DebuggerExecution"> = async ({ action }, context) => {
  switch (action) {
    case "EXECUTION_ACTION_PAUSE":
      return await pause(context);
    case "EXECUTION_ACTION_RESUME":
      return await resume(context);
    default:
      throw fail("INVALID_ARGUMENT", {
        argument: "action",
        problem: "action is missing",
        allowed: ["pause", "resume"],
      });
  }
};

const WAITS =
  "No script of the page runs now. The next one pauses at its first statement: do on the page what runs it.";

async function pause(context: ToolContext): Promise<{ text: string; shown: Page }> {
  checkEnabled(context);
  const tab = await tabOf(context);
  const { pause: paused } = tab.interrupts;
  if (paused) throw fail("EXECUTION_ALREADY_PAUSED", { words: paused.words });
  const page = new Page(tab, context.call);
  page.check();
  context.call.waitsFor = "a script of the page to pause";
  const pausing = new AbortController();
  // A page answers only between two scripts. If it answers before it has paused, none of its scripts runs.
  const idle = tab.debugging.pause().then(() => tab.debugging.whenIdle());
  const halted = async () => {
    while (tab.isOpen && !tab.halt && !pausing.signal.aborted) await tab.activity.changed(pausing.signal);
  };
  try {
    await page.during(Promise.race([idle, halted()]), { haltInterrupts: false });
  } finally {
    pausing.abort();
  }
  return { text: tab.halt ? haltLine(tab.halt) : WAITS, shown: page };
}

async function resume(context: ToolContext): Promise<{ text: string; shown: Page }> {
  const { page, stop } = await pausedPage(context);
  const release = () => page.during(page.tab.debugging.resume(stop), { whilePaused: true });
  return await goOn(page, context.session, release, () => `Resumed from ${stop.words}`);
}
