// Errors of actions that wait for a person's decision.
import { again, callStep, say, tabOf } from "../steps/step-words.ts";
import type { ErrorEntry } from "./entry.ts";

export interface ApprovalErrorData {
  /**
   * `what`: the action that waits, in words. `waitS`: the longest wait that one call can ask for. `isOwn`: it is the
   * call's own. Otherwise the call waited for another one's, and did nothing. `carriedOut`: the call has led to it, and
   * is not needed any more.
   */
  APPROVAL_PENDING: {
    approval: string;
    what: string;
    tab: string;
    endsInMs: number;
    waitS: number;
    isOwn: boolean;
    carriedOut: boolean;
  };
  /** `by`: the client that decided; empty if the time was up before. */
  APPROVAL_DENIED: { approval: string; what: string; tab: string; by: string };
}

const POLICY = "The configuration lets such actions wait for a person (approve)";

export const approvals: { [T in keyof ApprovalErrorData]: ErrorEntry<ApprovalErrorData[T]> } = {
  APPROVAL_PENDING: {
    title: "Waits for Approval",
    example: {
      approval: "5f0c2a91",
      what: "POST https://bank.example/transfer",
      tab: "t1",
      endsInMs: 270_000,
      waitS: 27,
      isOwn: true,
      carriedOut: true,
    },
    category: "POLICY",
    code: "FAILED_PRECONDITION",
    recoverable: true,
    expected: "This is often normal until a person has looked at it.",
    message: ({ what, endsInMs }) =>
      `${what} waits for a person's approval, for at most ${span(endsInMs)} more.`,
    facts: ({ approval, what, endsInMs, carriedOut }) => [
      ["Approval", approval],
      ["Waits", what],
      ["It is refused by itself in", span(endsInMs)],
      ["The call", carriedOut ? "was carried out, and led to it" : "was not carried out"],
    ],
    why: ({ isOwn }) =>
      isOwn
        ? "It takes a person's approval, and nothing is sent before."
        : "An earlier call's action waits for a person's approval, so nothing else was done.",
    causes: () => [POLICY],
    steps: ({ waitS, carriedOut, endsInMs }, call) => [
      callStep(
        call,
        "browser_wait_for",
        { ...tabOf(call), time: waitS },
        "to wait for the person; it ends as soon as they have decided",
      ),
      ...(carriedOut
        ? [
            callStep(call, "browser_snapshot", tabOf(call), "to see what came of it"),
            say(
              `Do not repeat ${call.tool || "the call"}: it goes on by itself once it is approved. If it still waits, do these steps again, for ${span(endsInMs)} at most`,
            ),
          ]
        : [again(call, {}, "once it is decided")]),
    ],
    lastly: ({ approval }) =>
      `A person must decide about ${approval}, in the console or by troupe approve ${approval}`,
  },
  APPROVAL_DENIED: {
    title: "Not Approved",
    example: {
      approval: "5f0c2a91",
      what: "POST https://bank.example/transfer",
      tab: "t1",
      by: "ann",
    },
    category: "POLICY",
    code: "PERMISSION_DENIED",
    recoverable: false,
    expected: true,
    message: ({ what, by }) => (by ? `${by} has denied ${what}.` : `Nobody approved ${what} in time.`),
    facts: ({ approval, what, by }) => [
      ["Approval", approval],
      ["Refused", what],
      ["Decided by", by || "nobody, so it was refused when its time was up"],
    ],
    why: () => "It takes a person's approval, so it was not done.",
    causes: ({ by }) => [
      by ? "The person does not want it done, or not in this way" : "No person looked at it in time",
      POLICY,
    ],
    steps: ({ by }, call) => [
      say("Do not try it in another way: tell whoever gave you the task, and go on without it"),
      say(
        by
          ? `If it is needed all the same, ${by} has to be asked first; then do it again from the start`
          : "If it is needed, tell a person that it will wait in the console, or in troupe approve; then do it again from the start",
      ),
      callStep(call, "browser_snapshot", tabOf(call), "to see the page as it is now"),
    ],
  },
};

function span(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
