// Decides if several steps go on after one of them. A surprise ends them, because their client could not have meant it.
import type { StepsEnd } from "../../proto/gen/troupe.ts";

/** The page and its session after a step that has settled. */
export interface AfterStep {
  dialog: boolean;
  /** A breakpoint paused the page. */
  paused: boolean;
  tabOpen: boolean;
  newTab: boolean;
  /** The page shows another document than before the step, or is about to. */
  newDocument: boolean;
  /** The step may lead to another document. */
  mayNavigate: boolean;
  /** An element of a later step is gone or another one. */
  elementLost: boolean;
  /** The time that is left for further steps. */
  leftMs: number;
}

/** A step that begins with less time would only time out, and its client would not learn what was done. */
const STEP_MS_MIN = 1_000;

/** Returns the reason to end, or undefined to go on. */
export function endAfter(after: AfterStep): StepsEnd | undefined {
  if (after.dialog) return "STEPS_END_DIALOG";
  if (after.paused) return "STEPS_END_PAUSED";
  if (!after.tabOpen) return "STEPS_END_TAB_CLOSED";
  if (after.newTab) return "STEPS_END_NEW_TAB";
  if (after.newDocument && !after.mayNavigate) return "STEPS_END_NAVIGATION";
  if (after.elementLost) return "STEPS_END_ELEMENT";
  return after.leftMs < STEP_MS_MIN ? "STEPS_END_TIME" : undefined;
}

/** The reasons in words, after "Stopped: ". */
export const END_WORDS: Readonly<Partial<Record<StepsEnd, string>>> = {
  STEPS_END_DIALOG: "a dialog opened",
  STEPS_END_PAUSED: "a breakpoint was met",
  STEPS_END_TAB_CLOSED: "the tab was closed",
  STEPS_END_NEW_TAB: "another tab opened",
  STEPS_END_NAVIGATION: "the page went to another document",
  STEPS_END_ELEMENT: "the page replaced an element of a later step",
  STEPS_END_TIME: "the call's time is nearly over",
};
