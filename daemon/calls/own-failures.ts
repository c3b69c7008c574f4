// Selects the failures of a role that a client may see.
import type { FailureLog } from "../../proto/gen/troupe.ts";
import { type Client, clientOf } from "../admission/client.ts";
import { mayControl } from "../admission/rights.ts";

/** Incidents whose texts may name a page even if they name no session. */
const PAGES: ReadonlySet<string> = new Set(["storage-not-kept", "storage-not-restored"]);

/**
 * Returns all failures to a client with the right to read. A client with `control: none` gets the failures of its own
 * pages and of the role as a whole. It does not get failures that may concern another client's page.
 */
export function failuresFor(client: Client, log: FailureLog): FailureLog {
  if (mayControl(client, "read")) return log;
  const isOwn = ({ session }: { session: string }) => session !== "" && clientOf(session) === client.name;
  return {
    ...log,
    frameInjectionFailures: log.frameInjectionFailures.filter(isOwn),
    frameExpansionFailures: log.frameExpansionFailures.filter(isOwn),
    frameDiscoveryError: null,
    cleanupErrors: [],
    incidents: log.incidents.filter((each) => isOwn(each) || (each.session === "" && !PAGES.has(each.kind))),
  };
}
