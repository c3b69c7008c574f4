// Makes the protocol's message of a call that has ended.
import type { Call } from "../../proto/gen/troupe.ts";
import { timestamp } from "../supervisor/failure-history.ts";
import type { EndedCall } from "./ended-call.ts";

export function callMessage({ tool, role, session, outcome, durationMs, atMs, requestId }: EndedCall): Call {
  return { tool, role, session, outcome, durationMs, at: timestamp(atMs), requestId };
}
