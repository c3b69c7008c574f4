// Typed text that was lost with its page. It is named, so that it is typed again before a form is sent without it.
import { type Step, say } from "./entry.ts";

/** `lost`: the fields in words, `textbox "Amount"`. Missing if no loss is known. */
export interface LostInput {
  lost?: readonly string[] | undefined;
}

/** The fact of the loss that heads a text. */
export function lostFacts({ lost = [] }: LostInput): [string, string][] {
  return lost.length === 0 ? [] : [["Lost", `what was typed into ${lost.join(", ")}`]];
}

/** The step before the plan's last one. */
export function typeAgain({ lost = [] }: LostInput): Step[] {
  if (lost.length === 0) return [];
  return [say(`What was typed into ${lost.join(", ")} is lost: type it again if it is still needed`)];
}
