// The sessions that no daemon serves: none has them, or only one that does not answer. Their next call or an operator's
// request brings them to a daemon.
import type { ControlMethods, Input, Session as SessionMessage } from "../../proto/gen/troupe.ts";
import type { Client, ControlRight } from "../admission/client.ts";
import { currentRoleFor, type SessionOwner, seesRole, seesSession } from "../admission/visible.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { StoredSession } from "../sessions/session.ts";
import { checkWhole } from "../sessions/session-of-id.ts";
import type { DirectoryEntry } from "../store/ownership.ts";
import { timestamp } from "../supervisor/failure-history.ts";

/** Returns what the client may see of these sessions. `silent`: the daemons that do not answer. */
export async function unservedFor(
  cluster: Cluster,
  silent: readonly string[],
  { role }: ControlMethods["ListSessions"]["request"],
  client: Client,
): Promise<Input<SessionMessage>[]> {
  const all = await cluster.directory.unserved(silent);
  return all
    .filter((each) => seesStored(each, client, "read") && (!role || each.roles.includes(role)))
    .map((each) => messageOf(each, client));
}

/** Reports if the client may see the session, or act on it with the right "write". */
export function seesStored(stored: StoredSession, client: Client, right: ControlRight): boolean {
  return seesSession(ownerOf(stored), client, right);
}

/** Throws PERMISSION_DENIED if another client's session has something in roles that this client may not use. */
export function checkStoredWhole(stored: StoredSession, client: Client): void {
  checkWhole({ id: stored.id, ...ownerOf(stored) }, client);
}

function ownerOf({ client, currentRole, roles }: StoredSession): SessionOwner {
  return { client, currentRole, visits: new Map(roles.map((role) => [role, undefined])) };
}

function messageOf(stored: DirectoryEntry, client: Client): Input<SessionMessage> {
  return {
    id: stored.id,
    client: stored.client,
    name: stored.name ?? "",
    currentRole: currentRoleFor(ownerOf(stored), client),
    roles: stored.roles
      .filter((role) => seesRole(client, role))
      .map((role) => ({
        role,
        resting: stored.owner === undefined || stored.resting.includes(role),
      })),
    unanswered: stored.owner !== undefined,
    createdAt: timestamp(stored.createdAtMs),
    usedAt: timestamp(stored.usedAtMs),
  };
}
