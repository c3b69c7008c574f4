// debugger_evaluate: evaluates an expression in a frame of the paused page. An exception is an error, not a value.
import { fail } from "../../../proto/errors/catalogue.ts";
import { timeLeftMs } from "../../core/time-left.ts";
import { evaluate } from "../../debugging/evaluate.ts";
import { shownText } from "../../snapshot/quote.ts";
import type { ToolHandler } from "../tool.ts";
import { pausedPage } from "./debugged.ts";

/** An expression that runs longer is stopped. */
const EVALUATE_MS_MAX = 3_000;
const STOPPED = /Execution was terminated/;

export const debuggerEvaluate: ToolHandler<"DebuggerEvaluate"> = async (
  { frame: index = 0, expression },
  context,
) => {
  const { page, stop } = await pausedPage(context);
  const frame = stop.frames[index];
  if (!frame)
    throw fail("INVALID_ARGUMENT", {
      argument: "frame",
      problem: `the call stack has the frames 0 to ${stop.frames.length - 1}`,
      example: "0",
    });
  const { callFrameId } = frame;
  const { client } = stop.process;
  const timeMs = Math.max(1, Math.min(EVALUATE_MS_MAX, timeLeftMs(page.call, "frame")));
  page.call.waitsFor = "the expression";
  try {
    const evaluating = evaluate(
      (asked) => client.send("Debugger.evaluateOnCallFrame", { ...asked, callFrameId }),
      expression,
      timeMs,
    );
    const evaluated = await page.during(evaluating, { whilePaused: true });
    if ("error" in evaluated) throw fail("SCRIPT_FAILED", evaluated);
    return { type: evaluated.type, text: shownText(evaluated.text, Number.POSITIVE_INFINITY), shown: page };
  } catch (error) {
    if (!(error instanceof Error && STOPPED.test(error.message))) throw error;
    const words = `it did not end within ${timeMs / 1_000} s and was stopped`;
    throw fail("SCRIPT_FAILED", { error: words, url: "", line: 0, column: 0 }, error);
  }
};
