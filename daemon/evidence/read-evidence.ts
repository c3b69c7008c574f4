// Control.ReadEvidence: the evidence of a session's calls, also of a session that has ended.
import { fail } from "../../proto/errors/catalogue.ts";
import type { ReadEvidenceRequest } from "../../proto/gen/troupe.ts";
import { type Client, clientOf, sessionKey } from "../admission/client.ts";
import { mayControl, roleFor, rolesOf } from "../admission/rights.ts";
import type { EvidencePage, EvidenceStore } from "./evidence-store.ts";

export interface EvidenceParts {
  supervisor: { readonly names: readonly string[] };
  evidence: Pick<EvidenceStore, "has" | "sessionsOf" | "read">;
}

/** The number of sessions that an error names. */
const NAMED = 8;

/** The client may read its own sessions', and with the right to read also those of other clients in its roles. */
export function readEvidence(
  { supervisor: { names }, evidence }: EvidenceParts,
  { session: id, role, after = "", brief, id: one, newestFirst }: ReadEvidenceRequest,
  client: Client,
): EvidencePage {
  const own = client.roles && rolesOf(client, names);
  const roles = role ? [roleFor(client, role, names)] : own;
  const session = sessionNamed(evidence, id, client, own);
  if (session === undefined) return { calls: [], next: "" };
  return evidence.read({ session, roles, after, id: one, isBrief: brief, newestFirst });
}

/** Returns the session's key. Throws INVALID_ARGUMENT if several clients' sessions in these roles have that id. */
function sessionNamed(
  evidence: EvidenceParts["evidence"],
  id: string,
  client: Client,
  roles: readonly string[] | undefined,
): string | undefined {
  const own = sessionKey(client.name, id);
  if (evidence.has(own)) return own;
  if (clientOf(id) === client.name && evidence.has(id)) return id;
  if (!mayControl(client, "read")) return undefined;
  if (evidence.has(id)) return id;
  const keys = evidence.sessionsOf(id, roles);
  if (keys.length <= 1) return keys[0];
  const more = keys.length > NAMED ? ` and ${keys.length - NAMED} more` : "";
  throw fail("INVALID_ARGUMENT", {
    argument: "session",
    problem: `is the name of sessions of several clients: ${keys.slice(0, NAMED).join(", ")}${more}`,
    hint: `with the client's name before it: ${keys[0]}`,
    likelyCause: "Each client names its sessions for itself",
  });
}
