// Reads what the page of one session shows: its tabs in each role, and its calls with the plans of those that failed.
import { redactedAddress, redactedText } from "../../proto/text/redact.ts";
import type { Client } from "../admission/client.ts";
import { scopeOf, seesRecord, seesRole } from "../admission/visible.ts";
import { sessionOfId } from "../sessions/session-of-id.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { FlightRecorder } from "../telemetry/flight-recorder.ts";
import type { Journal } from "../telemetry/journal.ts";
import { type StateParts, sessionView } from "./read-state.ts";
import { RECORDS_MAX, type SessionPage } from "./wire.ts";

export interface SessionPageParts extends Pick<StateParts, "supervisor" | "takeOvers"> {
  sessions: Sessions;
  journal: Journal;
  flight: FlightRecorder;
}

/** Throws SESSION_EXPIRED if the client sees no session of that key. */
export async function sessionPage(
  parts: SessionPageParts,
  client: Client,
  key: string,
): Promise<SessionPage> {
  const { supervisor, sessions, journal, flight } = parts;
  const session = sessionOfId(sessions, key.slice(0, 400), client, "read");
  const plans = new Map(
    flight.failures
      .filter((each) => each.sessionKey === session.key && seesRecord(each, client))
      .map(({ requestId, plan }) => [requestId, plan]),
  );
  const asked = { session: session.id, client: session.client, scope: scopeOf(client) };
  const calls = await journal.newestCalls(RECORDS_MAX, asked);
  const roles = [...session.visits.keys()].filter((role) => seesRole(client, role));
  return {
    session: sessionView(session, parts, client),
    tabs: roles.flatMap((role) =>
      (supervisor.roles.get(role)?.sessions.of(session.key)?.tabs ?? []).map((tab) => ({
        role,
        id: tab.id,
        title: redactedText(tab.title),
        url: redactedAddress(tab.url),
        current: tab.current,
      })),
    ),
    calls: calls.map(({ at, ...call }) => ({
      ...call,
      client: session.client,
      atMs: (at?.seconds ?? 0) * 1000 + Math.floor((at?.nanos ?? 0) / 1e6),
      plan: plans.get(call.requestId) ?? "",
    })),
  };
}
