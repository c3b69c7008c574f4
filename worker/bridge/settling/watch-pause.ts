// Waits until the page is quiet: no change of the document for a while.

import { nextFrame } from "../aim/stable.ts";
import type { QuietOptions } from "../api/bridge-api.ts";
import { nextTurn } from "../dom/next-turn.ts";
import { watchChanges } from "../incremental/changes.ts";
import type { PageContext } from "../incremental/page-context.ts";

const TURNS = 2;

/** Resolves when no mutation came for the window's time, or after `maxMs`. */
export async function quiet(
  context: PageContext,
  { windowMs, changedMs, maxMs }: QuietOptions,
): Promise<{ mutated: boolean }> {
  const untilMs = performance.now() + maxMs;
  const changes = watchChanges(context, false);
  let mutated = false;
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  let waitMs = context.current.mayHaveChanged() ? changedMs : windowMs;
  while (await changes.next(Math.min(performance.now() + waitMs, untilMs))) {
    mutated = true;
    // Late changes may come bit by bit.
    waitMs = windowMs;
    if (performance.now() >= untilMs) break;
    // A changed page may change more before it is painted.
    await nextFrame();
  }
  changes.stop();
  return { mutated };
}
