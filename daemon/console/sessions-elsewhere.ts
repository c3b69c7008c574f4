// Shows the sessions of the other daemons, and those that none serves, beside those of this one.
import type { Input, Session } from "../../proto/gen/troupe.ts";
import { redactedText } from "../../proto/text/redact.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { unservedFor } from "../control/unserved-sessions.ts";
import type { SessionView } from "./wire.ts";

/** Returns those sessions that the client may see. Those of a daemon that does not answer are as they were stored. */
export async function sessionsElsewhere(
  cluster: Cluster | undefined,
  client: Client,
): Promise<SessionView[]> {
  if (!cluster) return [];
  const { replies, silent } = await cluster.others.askAll("ListSessions", {}, client);
  // The page shows what is known.
  const unserved = await unservedFor(cluster, silent, {}, client).catch(() => []);
  return [...unserved, ...replies.flatMap(({ sessions }) => sessions ?? [])].map(viewOf);
}

function viewOf(session: Input<Session>): SessionView {
  const { id, client, program, door, currentRole, createdAt, usedAt, roles } = session;
  const tabs = roles?.find(({ role }) => role === currentRole)?.tabs ?? [];
  return {
    key: sessionKey(client ?? "", id ?? ""),
    id: id ?? "",
    client: client ?? "",
    program: program ?? "",
    door: door ?? "",
    currentRole: currentRole ?? "",
    createdAtMs: millis(createdAt) ?? 0,
    usedAtMs: millis(usedAt) ?? 0,
    roles: (roles ?? []).map(({ role, resting, personSince }) => ({
      role: role ?? "",
      resting: resting ?? false,
      personSinceMs: millis(personSince),
    })),
    title: redactedText(tabs.find(({ current }) => current)?.title ?? ""),
    lastCall: null,
  };
}

/** Returns a date in milliseconds since the epoch; null without one. */
export function millis(time: Input<Session>["createdAt"]): number | null {
  return time ? (time.seconds ?? 0) * 1000 + Math.floor((time.nanos ?? 0) / 1e6) : null;
}
