// What a client is told of a role's failures.
import type { FailureLog } from "../../proto/gen/troupe.ts";
import { type Client, clientOf } from "../admission/client.ts";
import { mayControl } from "../admission/rights.ts";

/** Incidents whose words may name a page, also where they name no session. */
const PAGES: ReadonlySet<string> = new Set(["storage-not-kept", "storage-not-restored"]);

/**
 * All of them; with `control: none` those of its own pages, and what concerns the role as a whole. What may be of anybody's
 * page, and does not say whose, it is not told.
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
