// debugger_enable: turns the debugger on for all tabs of the session in this role, also for later ones.
import { counted } from "../../../proto/text/counted.ts";
import { shownUrl } from "../../snapshot/quote.ts";
import { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { checkRole, tabOf } from "./debugged.ts";

const SCRIPTS_MAX = 20;

export const debuggerEnable: ToolHandler<"DebuggerEnable"> = async (_request, context) => {
  checkRole(context);
  const { session, call, role } = context;
  const tab = await tabOf(context);
  const page = new Page(tab, call);
  session.debugging.turnOn();
  session.changed();
  call.waitsFor = "the debugger to be enabled";
  const enabling = Promise.all(session.tabs.open.map((each) => each.debugging.enable()));
  await page.during(enabling, { whilePaused: true });
  const text = [
    `The debugger is on for this session's tabs in role ${role.config.name}. Breakpoints and debugger statements pause its pages from now on; web workers are not debugged.`,
    ...scriptLines(page),
  ].join("\n");
  return { text, shown: page };
};

/** Lists the addresses at which breakpoints can be set. */
function scriptLines({ tab }: Page): string[] {
  const scripts = tab.debugging.processes.flatMap((process) => process.scripts.all);
  const lines = new Set(
    scripts
      .filter(({ url }) => url !== "")
      .map(({ url, sourceMapUrl }) => `  ${shownUrl(url)}${sourceMapUrl ? " (has a source map)" : ""}`),
  );
  if (lines.size === 0) return [];
  const left = lines.size - SCRIPTS_MAX;
  return [
    "Scripts:",
    ...[...lines].slice(0, SCRIPTS_MAX),
    ...(left > 0 ? [`  … ${counted(left, "more script")}`] : []),
  ];
}
