// Writes what waits for a person as messages for the daemon.
import type { Approval, ApprovalAsked, ApprovalEnded, Input } from "../../proto/gen/troupe.ts";
import type { ApprovalAction } from "../approvals/approval-rules.ts";
import type { Ended, Outcome, Waiting } from "../approvals/approvals.ts";

const ACTIONS = {
  submit: "APPROVAL_ACTION_SUBMIT",
  navigate: "APPROVAL_ACTION_NAVIGATE",
  download: "APPROVAL_ACTION_DOWNLOAD",
  upload: "APPROVAL_ACTION_UPLOAD",
} as const satisfies Record<ApprovalAction, Approval["action"]>;

const OUTCOMES = {
  approved: "APPROVAL_OUTCOME_APPROVED",
  denied: "APPROVAL_OUTCOME_DENIED",
  expired: "APPROVAL_OUTCOME_EXPIRED",
  "given-up": "APPROVAL_OUTCOME_GIVEN_UP",
} as const satisfies Record<Outcome["outcome"], ApprovalEnded["outcome"]>;

export function askedMessage(waiting: Waiting): Input<ApprovalAsked> {
  const { id, session: key, tab, action, what, page, askedAtMs, timeMs } = waiting;
  const [askedAt, endsAt] = [timestamp(askedAtMs), timestamp(askedAtMs + timeMs)];
  return { key, approval: { id, tab, action: ACTIONS[action], what, page, askedAt, endsAt } };
}

export function endedMessage(ended: Ended): Input<ApprovalEnded> {
  const { id, outcome } = ended;
  return { id, outcome: OUTCOMES[outcome], by: "by" in ended ? ended.by : "" };
}

function timestamp(ms: number) {
  return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1e6 };
}
