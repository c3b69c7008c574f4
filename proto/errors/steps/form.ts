// Names the fields that keep a form's button disabled, and the steps that complete the form.

import { named } from "../../text/named.ts";
import type { Candidate, FailedCall, Step } from "./step.ts";
import { again, callStep, say, tabOf } from "./step-words.ts";

/** `lacking`: empty fields and unticked boxes of the form. `guessed`: the page does not mark them as required. */
export interface Incomplete {
  lacking?: Candidate[];
  guessed?: boolean;
}

/** A click sets these, and it can mean nothing else. */
export const TICKED: ReadonlySet<string> = new Set([
  "checkbox",
  "radio",
  "switch",
  "menuitemcheckbox",
  "menuitemradio",
]);

/** The form is completed first. A click ticks a box, but only the reader knows a field's value. */
export function completeThenAgain({ lacking = [], guessed }: Incomplete, call: FailedCall): Step[] {
  const tab = tabOf(call);
  if (guessed)
    return [
      callStep(call, "browser_snapshot", tab, "to see what the form asks for"),
      say(`Fill or tick what it needs of ${list(lacking)}`),
      say(`Then call ${call.tool} again`),
    ];
  const boxes = lacking.filter(({ role }) => TICKED.has(role));
  const fields = lacking.filter(({ role }) => !TICKED.has(role));
  const tick = boxes.map((each) =>
    callStep(
      call,
      "browser_click",
      { ref: each.ref, ...tab },
      `to set ${named(each)}, which the form asks for`,
    ),
  );
  if (fields.length === 0) return [...tick, again(call)];
  const seen = callStep(call, "browser_snapshot", tab, "to see the form");
  return [
    ...(tick.length > 0 ? tick : [seen]),
    say(`Fill ${list(fields)}: browser_type(ref: …, text: …), or browser_select_option where it has options`),
    say(`Then call ${call.tool} again`),
  ];
}

/** Elements in words, each with its ref. */
export function list(controls: readonly Candidate[]): string {
  return controls.map((each) => `${named(each)} [ref=${each.ref}]`).join(", ");
}
