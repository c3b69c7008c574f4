// Lists the sessions that have ended and whose evidence is still kept.
import type { Client } from "../admission/client.ts";
import { scopeOf } from "../admission/visible.ts";
import type { EvidenceStore } from "../evidence/evidence-store.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { type EndedSession, RECORDS_MAX } from "./wire.ts";

/** The most sessions that are looked at. Those that are open are among them. */
const LOOKED_AT_MAX = 1_000;

interface EndedSessionsParts {
  sessions: Sessions;
  evidence: Pick<EvidenceStore, "newestSessions">;
}

/** Returns what the client may see of them, the newest evidence first. */
export function endedSessions({ sessions, evidence }: EndedSessionsParts, client: Client): EndedSession[] {
  return evidence
    .newestSessions(scopeOf(client), LOOKED_AT_MAX)
    .filter(({ key }) => sessions.of({ key }) === undefined)
    .slice(0, RECORDS_MAX);
}
