// wait_for_browser: waits for a time.
import { fail, isTroupeError } from "../../../proto/errors/catalogue.ts";
import type { ToolHandler } from "../tool.ts";
import { waitFor } from "./wait-for.ts";

const MS_DEFAULT = 1_000;

export const waitForBrowser: ToolHandler<"WaitForBrowser"> = async (
  { milliseconds = MS_DEFAULT, tab },
  context,
) => {
  try {
    return await waitFor({ time: milliseconds / 1_000, ...(tab !== undefined && { tab }) }, context);
  } catch (error) {
    throw inMilliseconds(error);
  }
};

/** The argument is another one than that of browser_wait_for. */
function inMilliseconds(error: unknown): unknown {
  if (!isTroupeError(error) || error.type !== "INVALID_ARGUMENT") return error;
  const { corrected } = error.data as { corrected?: { time?: number } };
  const milliseconds = (corrected?.time ?? 0) * 1_000;
  return fail(
    "INVALID_ARGUMENT",
    {
      argument: "milliseconds",
      problem: `a wait can take at most ${milliseconds} ms`,
      hint: `with milliseconds at most ${milliseconds}`,
      corrected: { milliseconds },
    },
    error,
  );
}
