// Text that was typed and went with its page: named, so that it is typed again before anything is sent without it.
import { type Step, say } from "./entry.ts";

/** `lost`: the fields in words, `textbox "Amount"`; missing where nothing that was typed is known to be lost. */
export interface LostInput {
  lost?: readonly string[] | undefined;
}

/** The fact of it that heads a text. */
export function lostFacts({ lost = [] }: LostInput): [string, string][] {
  return lost.length === 0 ? [] : [["Lost", `what was typed into ${lost.join(", ")}`]];
}

/** The step that comes before the plan's last one. */
export function typeAgain({ lost = [] }: LostInput): Step[] {
  if (lost.length === 0) return [];
  return [say(`What was typed into ${lost.join(", ")} is lost: type it again if it is still needed`)];
}
