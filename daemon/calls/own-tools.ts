// The tools that the daemon answers itself: roles, failures, a person's help, and a session's end.
import { checkRequest } from "../../proto/calls/arguments.ts";
import { fail } from "../../proto/errors/catalogue.ts";
import type { RoleSummary } from "../../proto/gen/troupe.ts";
import { failuresText } from "../../proto/text/failures-text.ts";
import { toolOfRpc } from "../../proto/tools/read-tools.ts";
import type { Client } from "../admission/client.ts";
import { checkControl, roleFor, rolesOf } from "../admission/rights.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { loginOf } from "../supervisor/role-message.ts";
import type { RoleView } from "../supervisor/supervision.ts";
import type { Supervisor } from "../supervisor/supervisor.ts";
import type { OwnTool } from "./execute.ts";
import type { AdmittedCall } from "./in-flight-call.ts";
import { failuresFor } from "./own-failures.ts";

const NO_ROLE = { argument: "role", problem: "role is missing: the name of the role to work in" };

/** By rpc. `clearElsewhere`: has the other daemons clear the failures of a role. */
export function ownTools(
  supervisor: Supervisor,
  sessions: Pick<Sessions, "leave">,
  askPerson: OwnTool,
  clearElsewhere: (role: string, client: Client) => Promise<unknown> = async () => undefined,
): ReadonlyMap<string, OwnTool> {
  const { names } = supervisor;
  const roleMeant = ({ role }: Record<string, unknown>, under: AdmittedCall) =>
    typeof role === "string" && role ? roleFor(under.client, role, names) : under.role;
  const shown = ({ client }: AdmittedCall) =>
    rolesOf(client, names).flatMap((name) => supervisor.roles.get(name) ?? []);
  const tools: Record<string, OwnTool> = {
    SelectRole(request, under) {
      const { client, session } = under;
      if (!request.role) throw fail("INVALID_ARGUMENT", { ...NO_ROLE, allowed: rolesOf(client, names) });
      const role = roleFor(client, String(request.role), names);
      session.currentRole = role;
      return { role, text: `Current role: ${role}\n${roleLines(shown(under), role)}` };
    },
    ListCurrentRoles(_request, under) {
      const { currentRole } = under.session;
      const roles = shown(under).map((role) => summary(role, currentRole));
      return { roles, text: roleLines(shown(under), currentRole) };
    },
    GetCurrentRole(_request, { session: { currentRole: role } }) {
      return { role, text: `Current role: ${role}` };
    },
    Close(_request, { session }) {
      sessions.leave(session);
      const role = session.currentRole;
      return { text: `Closed your tabs in all roles. The next call begins anew, in role ${role}.` };
    },
    AskPerson: askPerson,
    async GetFailures(request, under) {
      const name = roleMeant(request, under);
      const all = await supervisor.roles.get(name)?.failures.read();
      const failures = all && failuresFor(under.client, all);
      return { failures, text: failuresText(name, failures) };
    },
    async ClearFailures(request, under) {
      // The tool needs the same right as the control plane: it removes data that other clients see.
      checkControl(under.client, "ClearFailures");
      const name = roleMeant(request, under);
      const kept = supervisor.roles.get(name)?.failures;
      await clearElsewhere(name, under.client);
      await kept?.forget();
      const failures = await kept?.read();
      const cleared = `The failures of role ${name} are cleared.`;
      return {
        failures,
        text: failures?.authLoadError ? `${cleared}\n\n${failuresText(name, failures)}` : cleared,
      };
    },
  };
  return new Map(Object.entries(tools).map(([rpc, tool]) => [rpc, checked(rpc, tool)]));
}

function checked(rpc: string, tool: OwnTool): OwnTool {
  const declared = toolOfRpc(rpc);
  return (request, under) => {
    // SelectRole without a role gets an error from the tool itself, with the list of roles.
    if (declared && !(rpc === "SelectRole" && !request.role)) checkRequest(declared, request);
    return tool(request, under);
  };
}

function roleLines(roles: readonly RoleView[], current: string): string {
  return roles.map((role) => lineOf(summary(role, current))).join("\n");
}

/** A line such as `customer (current): READY, logged in, https://shop.example/, can type {{customer.password}}`. */
function lineOf({ name, current, state, login, startUrl, credentials }: RoleSummary): string {
  const typed = credentials.length > 0 ? `can type ${credentials.join(" ")}` : "";
  return `${name}${current ? " (current)" : ""}: ${[state, login, startUrl, typed].filter(Boolean).join(", ")}`;
}

function summary(role: RoleView, current: string): RoleSummary {
  return {
    name: role.name,
    state: role.stand.state,
    current: role.name === current,
    startUrl: role.settings.startUrl ?? "",
    login: loginOf(role),
    credentials: Object.keys(role.settings.credentials ?? {}).map((name) => `{{${role.name}.${name}}}`),
  };
}
