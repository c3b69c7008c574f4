// Control.ExportSession: asks a role's worker to write the steps of a session, which goes on as it is.
import { fail } from "../../proto/errors/catalogue.ts";
import type {
  ExportRecordingResponse,
  ExportSessionRequest,
  ExportSessionResponse,
  StoragePart,
} from "../../proto/gen/troupe.ts";
import type { Client } from "../admission/client.ts";
import { roleFor } from "../admission/rights.ts";
import { sessionOfId } from "../sessions/session-of-id.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SupervisedRole } from "../supervisor/supervised-role.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";

/** The time for a worker's start. */
const READY_MS_MAX = 60_000;
const ASK_MS_MAX = 10_000;
const RETRY_AFTER_MS = 1_000;
/** The parts of a session's storage that hold its steps. */
const STEPS = "steps";

export interface ExportParts {
  supervisor: Supervisor;
  sessions: Sessions;
  kept: { partsOf(role: string, key: string, area: string): Promise<StoragePart[]> };
}

/** The client may export its own sessions, and with the right to read also those of other clients in its roles. */
export async function exportSession(
  { supervisor, sessions, kept }: ExportParts,
  { session: id, role: asked, as }: ExportSessionRequest,
  client: Client,
): Promise<ExportSessionResponse> {
  const { key, visits, currentRole } = sessionOfId(sessions, id, client, "read");
  const name = roleFor(client, asked || currentRole, supervisor.names);
  const role = supervisor.roles.get(name);
  if (!role || !visits.has(name)) return { text: "", steps: 0, dropped: 0, role: name };
  const written = await writtenBy(role, { key, as, parts: await kept.partsOf(name, key, STEPS) });
  return { ...written, role: name };
}

async function writtenBy(
  role: SupervisedRole,
  request: { key: string; as: ExportSessionRequest["as"]; parts: StoragePart[] },
): Promise<ExportRecordingResponse> {
  const { link } = await role.ready({ callMs: READY_MS_MAX, queueMs: READY_MS_MAX });
  try {
    return await link.ask("ExportRecording", request, ASK_MS_MAX);
  } catch (error) {
    const reason = "it did not write the session's steps";
    throw fail("WORKER_UNAVAILABLE", { role: role.name, reason, retryAfterMs: RETRY_AFTER_MS }, error);
  }
}
