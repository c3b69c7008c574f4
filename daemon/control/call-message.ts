// A call that has ended, as the protocol tells of it.
import type { Call } from "../../proto/gen/troupe.ts";
import type { EndedCall } from "../calls/ended-call.ts";
import { timestamp } from "../supervisor/failure-history.ts";

export function callMessage({ tool, role, session, outcome, durationMs, atMs, requestId }: EndedCall): Call {
  return { tool, role, session, outcome, durationMs, at: timestamp(atMs), requestId };
}
