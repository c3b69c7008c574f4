// An element whose document is gone. If a similar element exists now, the plan uses it.

import { named } from "../../text/named.ts";
import { actOn } from "./effect.ts";
import { enterAgain, type LostInput } from "./lost-input.ts";
import type { Candidate, FailedCall, Step } from "./step.ts";
import { say } from "./step-words.ts";

/** `role` and `name`: as delivered. `candidates`: the one element of that role and name that exists now. */
export interface Remembered extends LostInput {
  role?: string;
  name?: string;
  candidates?: Candidate[];
}

/** The facts of the element that head a text. */
export function rememberedFacts({ role, name }: Remembered): [string, string][] {
  return role === undefined || name === undefined ? [] : [["It was", named({ role, name })]];
}

/**
 * True if a ref may mean the element that it names elsewhere. That element must be like the ref's own here, unless it
 * had none here.
 */
export function mayMean(
  { cause, role, name }: Remembered & { cause: string },
  element: { role?: string | null; name?: string | null } | undefined,
): boolean {
  if (cause === "unseen") return true;
  return role !== undefined && element?.role === role && element.name === name;
}

/** The element in words. */
export function rememberedName({ role, name }: Remembered): string {
  return role === undefined || name === undefined ? "the correct element reference" : named({ role, name });
}

/**
 * Repeats the call on the element's successor; undefined if none is known. A form that lost its input has changed, so
 * its reader decides.
 */
export function actOnRemembered(data: Remembered, call: FailedCall): Step[] | undefined {
  const [likely] = data.candidates ?? [];
  if (!likely) return undefined;
  const refill = enterAgain(data);
  if (refill.length === 0) return actOn(likely, call);
  const find = `Find ${named(likely)} in it (likely ${likely.ref})`;
  return [...refill, say(`${find}, and call ${call.tool} again with its ref`)];
}
