// What a client is told of a role's failures.
import type { FailureLog } from "../../proto/gen/troupe.ts";
import { type Client, clientOf } from "../admission/client.ts";
import { mayControl } from "../admission/rights.ts";

/** All of them; with `control: none` those of its own pages, and what concerns the role as a whole. */
export function failuresFor(client: Client, log: FailureLog): FailureLog {
  if (mayControl(client, "read")) return log;
  const isOwn = ({ session }: { session: string }) => session !== "" && clientOf(session) === client.name;
  return {
    ...log,
    frameInjectionFailures: log.frameInjectionFailures.filter(isOwn),
    frameExpansionFailures: log.frameExpansionFailures.filter(isOwn),
    incidents: log.incidents.filter((incident) => incident.session === "" || isOwn(incident)),
  };
}
