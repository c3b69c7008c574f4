// The sessions that no living daemon has. Their next call or an operator's request brings them to a daemon.
import type { ControlMethods, Input, Session as SessionMessage } from "../../proto/gen/troupe.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import { currentRoleFor, type SessionOwner, seesRole, seesSession } from "../admission/visible.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { StoredSession } from "../sessions/session.ts";
import { timestamp } from "../supervisor/failure-history.ts";

/** A name that more sessions have is refused anyway. */
const CLAIMED_MAX = 8;

/** Returns what the client may see of these sessions. */
export async function restingFor(
  cluster: Cluster,
  { role }: ControlMethods["ListSessions"]["request"],
  client: Client,
): Promise<Input<SessionMessage>[]> {
  const all = await cluster.resting();
  return all
    .filter((each) => seesSession(ownerOf(each), client, "read") && (!role || each.roles.includes(role)))
    .map((each) => messageOf(each, client));
}

/**
 * Claims the sessions of that name that the client may change. They stay until the result is disposed of. Rejects with
 * STORE_UNAVAILABLE.
 */
export async function claimNamed(
  cluster: Cluster,
  name: string,
  client: Client,
): Promise<{ count: number } & Disposable> {
  const own = sessionKey(client.name, name);
  const named = (await cluster.resting()).filter(
    (each) => [own, name].includes(each.key) || each.id === name,
  );
  const uses = new DisposableStack();
  let count = 0;
  for (const each of named
    .filter((found) => seesSession(ownerOf(found), client, "write"))
    .slice(0, CLAIMED_MAX)) {
    const entered = await cluster.handover.enter(each);
    if (!entered || !("use" in entered)) continue;
    uses.use(entered.use);
    count++;
  }
  return { count, [Symbol.dispose]: () => uses.dispose() };
}

function ownerOf({ client, currentRole, roles }: StoredSession): SessionOwner {
  return { client, currentRole, visits: new Map(roles.map((role) => [role, undefined])) };
}

function messageOf(stored: StoredSession, client: Client): Input<SessionMessage> {
  return {
    id: stored.id,
    client: stored.client,
    name: stored.name ?? "",
    currentRole: currentRoleFor(ownerOf(stored), client),
    roles: stored.roles.filter((role) => seesRole(client, role)).map((role) => ({ role, resting: true })),
    createdAt: timestamp(stored.createdAtMs),
    usedAt: timestamp(stored.usedAtMs),
  };
}
