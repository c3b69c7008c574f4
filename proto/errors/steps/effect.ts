// Decides if a call that broke off may have acted, and how to go on from there.

import { named } from "../../text/named.ts";
import { findTool, onlyReads } from "../../tools/read-tools.ts";
import { enterAgain, type LostInput } from "./lost-input.ts";
import type { Candidate, FailedCall, Step } from "./step.ts";
import { again, CANDIDATE, callStep, say, tabOf } from "./step-words.ts";

/** none: the call was not executed; unknown: it was under way. */
export type Effect = "none" | "unknown";

/** The effect in words, as a fact of the text. */
export const EFFECT: Record<Effect, string> = {
  none: "was not carried out",
  unknown: "was under way and may have taken effect",
};

/** A call that broke off, and what the page lost with it. */
export interface BrokenOff extends LostInput {
  effect: Effect;
  /** The place of the intended element now. */
  candidates?: readonly Candidate[];
}

/** Repeats the call on the element that was found again. */
export function actOn(likely: Candidate, call: FailedCall): Step[] {
  return [
    say(`Find ${named(likely)} in it (likely ${likely.ref})`),
    again(call, { ref: CANDIDATE }, "", { ref: JSON.stringify(likely.ref) }),
  ];
}

/** Repeats a call that only reads. For any other call the page is read first. */
export function lookThenGoOn(data: BrokenOff, call: FailedCall): Step[] {
  if (looksAnywhere(call)) return [again(call)];
  return goOnAfter(
    callStep(call, "browser_snapshot", tabOf(call), "to see the page as it is now"),
    data,
    call,
  );
}

/** `look`: the step that shows the page as it is now. */
export function goOnAfter(look: Step, data: BrokenOff, call: FailedCall): Step[] {
  const lookAgain = [look, ...enterAgain(data)];
  const name = call.tool || "The call";
  if (data.effect === "unknown" && !onlyLooks(call)) {
    const last = Array.isArray(call.arguments.steps)
      ? "may have carried out some of its steps: go on after those that the page shows"
      : "may have taken effect: repeat it only if the page shows that it has not";
    return [...lookAgain, say(`${name} ${last}; take new refs from the snapshot`)];
  }
  const [likely] = data.candidates ?? [];
  // A form that lost its input has changed, so its reader decides.
  if (likely && "ref" in call.arguments && lookAgain.length === 1) return [look, ...actOn(likely, call)];
  if ("ref" in call.arguments)
    return [...lookAgain, say(`${name} ${EFFECT.none}; take new refs from the snapshot`)];
  const words = findTool(call.tool)?.afterCrash;
  return words ? [...lookAgain, say(words)] : [look, again(call)];
}

/** Returns true if the call opens its own page, or only reads any page and names no element of one that is gone. */
export function looksAnywhere(call: FailedCall): boolean {
  return startsAnew(call) || (onlyLooks(call) && !("ref" in call.arguments));
}

/** Returns true if the call depends on nothing that was open before. */
export function startsAnew({ tool }: FailedCall): boolean {
  return findTool(tool)?.startsAnew === true;
}

/** The call reads and changes nothing. */
function onlyLooks({ tool: name, arguments: args }: FailedCall): boolean {
  const tool = findTool(name);
  return tool !== undefined && onlyReads(tool, args);
}

/** Sets the effect to none if a call that only reads was under way. */
export function withEffect<Data extends object>(data: Data, call: FailedCall): Data {
  return "effect" in data && onlyLooks(call) ? { ...data, effect: "none" } : data;
}
