// Encrypts the parts of sessions for the store, and writes what a session's row holds as text.
import type { SessionRecord, StoragePart } from "../../proto/gen/troupe.ts";
import { decode, encode, messageType } from "../../proto/wire/schema.ts";
import type { KeyRing, Sealed } from "../core/key-ring.ts";
import type { Session, StoredSession } from "../sessions/session.ts";

/** The part with a session's tabs. A worker's own parts have other names. */
export const TABS = "tabs";
const RECORD = messageType("troupe.v1.SessionRecord");

/** Returns the part with a session's tabs, beside the parts that its worker names. */
export function tabsPart(record: SessionRecord): StoragePart {
  return { name: TABS, data: encode(RECORD, record) };
}

/** Returns the tabs that the part holds. */
export function tabsIn(data: Uint8Array): SessionRecord {
  return decode<SessionRecord>(RECORD, data);
}

/** Encrypts a part. It opens only for its own session, role and name, so parts cannot be swapped between sessions. */
export function sealPart(keys: KeyRing, role: string, key: string, { name, data }: StoragePart): Sealed {
  return keys.seal(data, aboutOf(role, key, name));
}

/** Returns undefined if no key opens the part. */
export function openPart(
  keys: KeyRing,
  role: string,
  key: string,
  { name, ...sealed }: Sealed & { name: string },
): StoragePart | undefined {
  const data = keys.open(sealed, aboutOf(role, key, name));
  return data && { name, data };
}

function aboutOf(role: string, key: string, name: string): string {
  return JSON.stringify([role, key, name]);
}

/** Writes a plain list if there is nothing else to say, as earlier versions do. They ignore the name. */
export function rolesText({
  visits,
  name,
  rolesElsewhere = [],
}: Pick<Session, "visits" | "name" | "rolesElsewhere">): string {
  const roles = [...visits.keys(), ...rolesElsewhere];
  const resting = roles.filter((role) => visits.get(role)?.state !== "AWAKE");
  return JSON.stringify(resting.length > 0 || name !== undefined ? { roles, resting, name } : roles);
}

export function rolesIn(text: string): Pick<StoredSession, "roles" | "resting" | "name"> {
  const kept = JSON.parse(text);
  return Array.isArray(kept) ? { roles: kept, resting: [] } : kept;
}
