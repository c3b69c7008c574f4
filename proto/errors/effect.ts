// Whether a call that broke off may have done something, and how to go on from there.
import { findTool } from "../tools.ts";
import { again, callStep, type FailedCall, type Step, say, tabOf } from "./entry.ts";

/** none: the call was not carried out; unknown: it was under way. */
export type Effect = "none" | "unknown";

/** The effect in words, as a fact of the text. */
export const EFFECT: Record<Effect, string> = {
  none: "was not carried out",
  unknown: "was under way and may have taken effect",
};

/** What only looks is done again; for anything else the page is looked at first. */
export function lookThenGoOn(effect: Effect, call: FailedCall): Step[] {
  if (findTool(call.tool)?.readOnly || call.tool === "browser_navigate") return [again(call)];
  const look = callStep(call, "browser_snapshot", tabOf(call), "to see the page as it is now");
  // Nothing of it has been done, and it speaks of no element of the page before.
  if (effect === "none" && !("ref" in call.arguments)) return [look, again(call)];
  const last =
    effect === "none"
      ? "was not carried out"
      : "may have taken effect: repeat it only if the page shows that it has not";
  return [look, say(`${call.tool || "The call"} ${last}; take new refs from the snapshot`)];
}
