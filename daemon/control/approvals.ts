// Control.ListApprovals and Control.DecideApproval: what agents want to do that waits for a person, and the decisions.
import type {
  Approval,
  DecideApprovalRequest,
  DecideApprovalResponse,
  ListApprovalsRequest,
  ListApprovalsResponse,
} from "../../proto/gen/troupe.ts";
import { redactedAddress, redactedText } from "../../proto/text/redact.ts";
import { type Client, clientOf, sessionOf } from "../admission/client.ts";
import { mayControl, roleFor, rolesOf } from "../admission/rights.ts";
import { type WaitingApproval, waitsNoMore } from "../supervisor/role-approvals.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";

type Roles = Pick<Supervisor, "roles" | "names">;

/** A client sees what waits in its own sessions, and with the right to read all in its roles. */
export function listApprovals(
  supervisor: Roles,
  { role }: ListApprovalsRequest,
  client: Client,
): ListApprovalsResponse {
  const names = role ? [roleFor(client, role, supervisor.names)] : rolesOf(client, supervisor.names);
  return { approvals: waitingIn(supervisor, names, client) };
}

/** Throws INVALID_ARGUMENT if nothing of that id waits in the client's roles. */
export async function decideApproval(
  supervisor: Roles,
  { id, deny }: DecideApprovalRequest,
  client: Client,
): Promise<DecideApprovalResponse> {
  const roles = rolesOf(client, supervisor.names).flatMap((name) => supervisor.roles.get(name) ?? []);
  const role = roles.find(({ approvals }) => approvals.knows(id));
  if (!role) throw waitsNoMore(id, undefined);
  const ended = await role.approvals.decide(id, deny, client.name);
  return { approval: approvalMessage(ended), outcome: ended.outcome };
}

function waitingIn({ roles }: Roles, names: readonly string[], client: Client): Approval[] {
  return names
    .flatMap((name) => roles.get(name)?.approvals.waiting ?? [])
    .filter(({ key }) => mayControl(client, "read") || clientOf(key) === client.name)
    .map(approvalMessage)
    .sort((one, other) => (one.askedAt?.seconds ?? 0) - (other.askedAt?.seconds ?? 0));
}

/** Its words may be a page's. */
function approvalMessage({ key, approval }: WaitingApproval): Approval {
  return {
    ...approval,
    client: clientOf(key),
    session: sessionOf(key),
    what: redactedText(approval.what),
    page: redactedAddress(approval.page),
  };
}
