// Input that was lost with its page. It is named, so that it is entered again before a form is sent without it.
import type { Step } from "./step.ts";
import { say } from "./step-words.ts";

/** `lost`: the controls in words, `textbox "Amount"`. Missing if no loss is known. */
export interface LostInput {
  lost?: readonly string[] | undefined;
  /** The parts of `lost` that are no controls, such as an open dialog. */
  lostOther?: readonly string[] | undefined;
}

/** The fact of the loss that heads a text. */
export function lostFacts(data: LostInput): [string, string][] {
  const { entered, other } = parted(data);
  const all = [entered && `what was entered in ${entered}`, other].filter(Boolean).join("; ");
  return all ? [["Lost", all]] : [];
}

/** The steps before the plan's last one. */
export function enterAgain(data: LostInput): Step[] {
  const { entered, other } = parted(data);
  return [
    ...(entered ? [say(`What was entered in ${entered} is lost: enter it again if it is still needed`)] : []),
    ...(other ? [say(`Lost too: ${other}. Do again what led to it if it is still needed`)] : []),
  ];
}

function parted({ lost = [], lostOther = [] }: LostInput): { entered: string; other: string } {
  const entered = lost.filter((each) => !lostOther.includes(each));
  return { entered: entered.join(", "), other: lostOther.join(", ") };
}
