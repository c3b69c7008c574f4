// An element whose document is gone, as it was once told: what to do where one like it is there now.
import { actOn } from "./effect.ts";
import { type Candidate, type FailedCall, named, type Step, say } from "./entry.ts";
import { type LostInput, typeAgain } from "./lost-input.ts";

/** `role` and `name`: as it was told; `candidates`: the one element of that role and name that there is now. */
export interface Remembered extends LostInput {
  role?: string;
  name?: string;
  candidates?: Candidate[];
}

/** The facts of it that head a text. */
export function rememberedFacts({ role, name }: Remembered): [string, string][] {
  return role === undefined || name === undefined ? [] : [["It was", named({ role, name })]];
}

/** The element in words. */
export function rememberedName({ role, name }: Remembered): string {
  return role === undefined || name === undefined ? "the correct element reference" : named({ role, name });
}

/**
 * The call on the element that takes its place; undefined where none is known. A form that lost what was typed into it is
 * not what it was: its reader decides.
 */
export function actOnRemembered(data: Remembered, call: FailedCall): Step[] | undefined {
  const [likely] = data.candidates ?? [];
  if (!likely) return undefined;
  const refill = typeAgain(data);
  if (refill.length === 0) return actOn(likely, call);
  const find = `Find ${named(likely)} in it (likely ${likely.ref})`;
  return [...refill, say(`${find}, and call ${call.tool} again with its ref`)];
}
