// Asks for an element's facts in the question that makes it ready, so that the record of a step costs no other one.
import type { ExpectedText, StepFacts } from "../bridge/api/bridge-api.ts";
import type { Located, Page } from "./page.ts";

/** Returns what the bridge is to answer for the record. Undefined if the step is not recorded, or has the facts. */
export function expectedAt({ call: { notes } }: Page, { frame, ref }: Located): ExpectedText[] | undefined {
  if (!notes || notes.on.has(ref)) return undefined;
  const { expected, repeatable } = notes;
  return expected && !repeatable && expected.world === frame.world ? expected.texts : [];
}

/** Notes the answer. */
export function noteFacts({ call: { notes } }: Page, { ref }: Located, facts: StepFacts | undefined): void {
  if (!notes || !facts) return;
  const { on, repeatable } = facts;
  notes.on.set(ref || on.element.ref, on);
  notes.met(on);
  if (repeatable.length > 0) notes.repeatable ??= repeatable;
}
