// Additions to an error that is the first answer of a session after its rest.

import type { FailedCall, Step } from "./step.ts";
import { callStep, tabOf } from "./step-words.ts";

/** `restored`: the line that reports the rest. Any error may have it. */
export interface AfterRest {
  restored?: string;
}

export const WAS_AT_REST =
  "The session was at rest since its last call, and its pages were opened again: earlier refs are gone";

/** Returns the plan with a look at the restored page as its first step. */
export function lookFirst(steps: readonly Step[], call: FailedCall): Step[] {
  if (steps[0]?.tool === "browser_snapshot") return [...steps];
  return [callStep(call, "browser_snapshot", tabOf(call), "to see the page as it was restored"), ...steps];
}
