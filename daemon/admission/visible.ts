// Decides what a client gets to see: its own, and with the right to read also the data of other clients in its roles.
import type { Client, ControlRight } from "./client.ts";
import { mayControl } from "./rights.ts";

/** The session's client, and the roles in which it has something. */
export interface SessionOwner {
  client: string;
  currentRole: string;
  visits: ReadonlyMap<string, unknown>;
}

/** Own data, and the data of these roles. */
export interface Scope {
  client: string;
  roles: readonly string[];
}

/** Returns true if nothing of the daemon is hidden from the client. */
export function seesAll(client: Client): boolean {
  return mayControl(client, "read") && client.roles === undefined;
}

/** Returns what the client gets of all records; undefined for everything. */
export function scopeOf(client: Client): Scope | undefined {
  if (seesAll(client)) return undefined;
  return { client: client.name, roles: mayControl(client, "read") ? (client.roles ?? []) : [] };
}

/** Returns true if the role, also one that the configuration no longer has, is one of the client's. */
export function seesRole({ roles }: Pick<Client, "roles">, role: string): boolean {
  return roles === undefined || roles.includes(role);
}

/** Returns true if the client may see a record, such as a call, of that client in that role. */
export function seesRecord(record: { client: string; role: string }, client: Client): boolean {
  if (record.client === client.name) return true;
  return mayControl(client, "read") && seesRole(client, record.role);
}

/** Returns true if the client has the right over the session, or over a part of it. */
export function seesSession(session: SessionOwner, client: Client, right: ControlRight): boolean {
  if (session.client === client.name) return true;
  return mayControl(client, right) && rolesIn(session).some((role) => seesRole(client, role));
}

/** Returns the roles in which a session has something. A new session has nothing, and begins in its current role. */
export function rolesIn({ visits, currentRole }: SessionOwner): string[] {
  return visits.size > 0 ? [...visits.keys()] : [currentRole];
}

/** Returns the session's current role as the client may see it; empty if the role is not one of the client's. */
export function currentRoleFor({ client: owner, currentRole }: SessionOwner, client: Client): string {
  return owner === client.name || seesRole(client, currentRole) ? currentRole : "";
}
