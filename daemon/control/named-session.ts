// Finds the session that an operator names, wherever it is, and lets the daemon that has it act on it.
import type { ServiceError } from "@grpc/grpc-js";
import { fail } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status-detail.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { ambiguous } from "../sessions/session-of-id.ts";
import { draining, ownerUnreached } from "../sessions/unavailable.ts";
import type { DirectoryEntry } from "../store/ownership.ts";
import { seesStored } from "./unserved-sessions.ts";

/** The errors of a daemon that does not have what the request names. */
const NOT_HERE: ReadonlySet<string> = new Set(["SESSION_EXPIRED", "INVALID_ARGUMENT"]);

/**
 * Returns the client's own session of that name, or the only one of others that it may see. Returns undefined if there
 * is none. Rejects with INVALID_ARGUMENT if several match, and with STORE_UNAVAILABLE.
 */
export async function namedSession(
  cluster: Cluster,
  name: string,
  client: Client,
): Promise<DirectoryEntry | undefined> {
  const own = sessionKey(client.name, name);
  const found = (await cluster.directory.named([own, name], name)).filter((each) =>
    seesStored(each, client, "read"),
  );
  const exact = found.find(({ key }) => key === own) ?? found.find(({ key }) => key === name);
  if (!exact && found.length > 1)
    throw fail("INVALID_ARGUMENT", { argument: "session", ...ambiguous(found) });
  return exact ?? found[0];
}

/**
 * Holds the session here for as long as it is acted on. A session that no daemon has is claimed. Returns undefined for a
 * session of another daemon. Rejects with DAEMON_DRAINING if this daemon takes no session any more.
 */
export async function heldHere(
  cluster: Cluster,
  session: DirectoryEntry,
  client: Client,
): Promise<Disposable | undefined> {
  if (session.owner !== undefined && !cluster.owns(session.key)) return undefined;
  if (session.owner === undefined && !seesStored(session, client, "write")) return undefined;
  const call = { untilMs: 0, isForwarded: true, use: "calls" as const, renewsRefs: () => false };
  const place = await cluster.router.placeOf(session, call);
  if ("use" in place) return place.use;
  if (cluster.router.isDraining && session.owner === undefined) throw draining("none");
  return undefined;
}

/** Reports if the daemon does not have what the request names. */
export function isNotHere(type: string): boolean {
  return NOT_HERE.has(type);
}

/** Throws the error of a daemon that has the session, or STORE_UNAVAILABLE for one that did not say. */
export function throwUnlessNotHere(error: unknown): void {
  const theirs = fromStatus(error as ServiceError);
  // An error of the transport has a code, and the daemon may have begun.
  const effect = (error as ServiceError).code === undefined ? "none" : "unknown";
  if (!theirs) throw ownerUnreached("a daemon that may have it does not answer", effect, error);
  if (!isNotHere(theirs.type)) throw fail(theirs.type, theirs.details as never, error);
}
