// debugger_step: makes a step, and shows where it led.
import { fail } from "../../../proto/errors/catalogue.ts";
import { goOn } from "../../actions/go-on.ts";
import type { Direction } from "../../debugging/tab-debugger.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";
import { pausedPage } from "./debugged.ts";
import { localLines, sourceLines } from "./stop-text.ts";

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  STEP_DIRECTION_OVER: "over",
  STEP_DIRECTION_INTO: "into",
  STEP_DIRECTION_OUT: "out",
};

export const debuggerStep: ToolHandler<"DebuggerStep"> = async ({ direction: asked }, context) => {
  const direction = DIRECTIONS[asked];
  if (!direction)
    throw fail("INVALID_ARGUMENT", {
      argument: "direction",
      problem: "direction is missing",
      allowed: Object.values(DIRECTIONS),
    });
  const { page, stop } = await pausedPage(context);
  const release = () => page.during(page.tab.debugging.step(stop, direction), { whilePaused: true });
  return await goOn(page, context.session, release, () => arrival(page, direction));
};

/** Writes what is at the place that the step led to. The reply's next line names the place. */
async function arrival(page: Page, direction: Direction): Promise<string> {
  const { stop } = page.tab.debugging;
  if (!stop) return `Stepped ${direction}. The code has run to its end, and the page runs on.`;
  const changed = localLines(stop, true);
  return [
    `Stepped ${direction}`,
    ...(await sourceLines(page, stop, 0)),
    ...(changed.length > 0 ? ["Changed:", ...changed] : []),
  ].join("\n");
}
