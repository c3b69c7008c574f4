// Shows the evidence of a session's calls: a list, and all that is known of one call.
import type { CallEvidence } from "../../proto/gen/troupe.ts";
import type { EvidenceCall, EvidenceDetail } from "./wire.ts";

/** Returns a call for the list. */
export function evidenceCall({ id, call, seen, picture }: CallEvidence): EvidenceCall {
  return {
    id,
    tool: call?.tool || seen?.tool || "",
    role: call?.role ?? "",
    tab: seen?.tab ?? "",
    element: seen?.element ?? "",
    outcome: call?.outcome ?? "",
    durationMs: call?.durationMs ?? 0,
    atMs: (call?.at?.seconds ?? 0) * 1000 + Math.floor((call?.at?.nanos ?? 0) / 1e6),
    hasPicture: picture !== null && picture.missing === "",
    missing: picture?.missing ?? "",
  };
}

/** Returns what the list leaves out. */
export function evidenceDetail({ plan, seen }: CallEvidence): EvidenceDetail {
  return {
    plan,
    arguments: seen?.arguments ?? "",
    reply: seen?.reply ?? "",
    title: seen?.title ?? "",
    url: seen?.url ?? "",
  };
}
