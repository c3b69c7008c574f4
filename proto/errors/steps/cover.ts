// The ways to remove what covers an element, in the order in which they are tried.

import { named } from "../../text/named.ts";
import type { Candidate, ElementData, FailedCall, Step } from "./step.ts";
import { again, callStep, say, tabOf } from "./step-words.ts";

export interface Cover {
  by: ElementData;
  closer?: ElementData;
  controls?: Candidate[];
  asks?: boolean;
}

/** Returns the ways in order: what surely closes it, what may close it, what the reader has to choose. */
export function waysOut({ by, closer, controls = [], asks }: Cover, call: FailedCall): Step[][] {
  const tab = tabOf(call);
  const close = closer
    ? callStep(
        call,
        "browser_click",
        { ref: closer.ref, ...tab },
        `to close ${named(by)} with ${named(closer)}`,
      )
    : undefined;
  const escape = callStep(call, "browser_press_key", { key: "Escape", ...tab }, `to close ${named(by)}`);
  const wait = callStep(
    call,
    "browser_wait_for",
    { ref: by.ref, state: "hidden", ...tab },
    `in case ${named(by)} goes by itself, as while a page loads; if it does not, close it first`,
  );
  const isLayer = LAYERS.has(by.role);
  // Only the frame itself knows its content.
  const isFrame = by.tag === "iframe";
  const answer = controls.length > 0 || isFrame ? [answerIt(by, controls, call)] : [];
  const waits = asks || isFrame;
  return [
    ...(close ? [[close, again(call)]] : []),
    ...(waits ? answer : []),
    ...(isLayer || close ? [[escape, again(call)]] : []),
    ...(isLayer && !waits ? answer : []),
    [wait, again(call)],
    ...(isLayer || waits ? [] : answer),
    ...(isLayer || close ? [] : [[escape, again(call)]]),
  ];
}

/** A plan cannot choose an answer, because each answer may have an effect. */
function answerIt(by: ElementData, controls: readonly Candidate[], call: FailedCall): Step[] {
  const clicks = controls.map(
    ({ ref, role, name }) => `browser_click(ref: "${ref}") for ${named({ role, name })}`,
  );
  return [
    callStep(call, "browser_snapshot", { ref: by.ref, ...tabOf(call) }, `to read ${named(by)}`),
    say(
      clicks.length > 0
        ? `Choose what answers or closes it, and call one of: ${clicks.join(", ")}`
        : "Choose what closes it, and call browser_click with its ref",
    ),
    say(`Then call ${call.tool} again`),
  ];
}

/** The roles that Escape closes on most pages. */
export const LAYERS: ReadonlySet<string> = new Set(["dialog", "alertdialog", "menu", "listbox", "tooltip"]);
