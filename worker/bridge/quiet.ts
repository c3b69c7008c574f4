// When the page has come to rest: no change of the document for a while.

import type { QuietOptions } from "./api.ts";
import { watchChanges } from "./changes.ts";
import { nextTurn } from "./next-turn.ts";
import type { PageContext } from "./page-context.ts";
import { nextFrame } from "./steady.ts";

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
    // What comes late may come bit by bit.
    waitMs = windowMs;
    if (performance.now() >= untilMs) break;
    // What changed may change more before it is painted.
    await nextFrame();
  }
  changes.stop();
  return { mutated };
}
