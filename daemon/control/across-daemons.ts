// The control plane over all daemons of a store: lists are put together, and a session is looked for in each.
import type { Metadata, ServiceError } from "@grpc/grpc-js";
import { fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status-detail.ts";
import type { ControlMethods, Input, Session } from "../../proto/gen/troupe.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Log } from "../core/log.ts";
import { storeUnavailable } from "../sessions/unavailable.ts";
import type { ControlHandlers } from "./control-handlers.ts";
import { claimNamed, restingFor } from "./resting-sessions.ts";

/** The rpcs that name a session, which any daemon may have. */
const OF_ONE_SESSION = ["CloseSession", "ExportSession", "TakeOver", "HandBack", "DecideApproval"] as const;
/** The errors of a daemon that does not have what the request names. */
const NOT_HERE: ReadonlySet<string> = new Set(["SESSION_EXPIRED", "INVALID_ARGUMENT"]);

type SessionRpc = (typeof OF_ONE_SESSION)[number];
type ListRpc = "ListSessions" | "ListApprovals" | "ClearFailures";
type Request<M extends SessionRpc | ListRpc> = ControlMethods[M]["request"];
type AnyHandler = (request: object, client: Client, metadata: Metadata) => Promise<object>;

/** Returns handlers that also ask the other daemons. */
export function acrossDaemons(own: ControlHandlers, cluster: Cluster, log: Log): ControlHandlers {
  const others = async <M extends ListRpc>(rpc: M, request: Input<Request<M>>, client: Client) => {
    const { replies, failures } = await cluster.askOthers(rpc, request, client);
    for (const error of failures) log.warn({ err: error, rpc }, "another daemon was left out");
    return replies;
  };
  const searches = OF_ONE_SESSION.map((rpc) => [rpc, searching(rpc, own[rpc] as AnyHandler, cluster)]);
  return {
    ...own,
    ...(Object.fromEntries(searches) as Pick<ControlHandlers, SessionRpc>),
    async ListSessions(request, client, metadata) {
      const { sessions } = await own.ListSessions(request, client, metadata);
      const [more, resting] = await Promise.all([
        others("ListSessions", request, client),
        restingFor(cluster, request, client),
      ]);
      const had = [...(sessions ?? []), ...more.flatMap((reply) => reply.sessions ?? [])];
      // One that moves just now may be in both.
      const keys = new Set(had.map(keyOf));
      return { sessions: [...had, ...resting.filter((each) => !keys.has(keyOf(each)))] };
    },
    async ClearFailures(request, client, metadata) {
      await others("ClearFailures", request, client);
      return await own.ClearFailures(request, client, metadata);
    },
    async ListApprovals(request, client, metadata) {
      const { approvals } = await own.ListApprovals(request, client, metadata);
      const more = await others("ListApprovals", request, client);
      return { approvals: [...(approvals ?? []), ...more.flatMap((reply) => reply.approvals ?? [])] };
    },
  };
}

/** Returns a handler that looks for the session here, then in the other daemons, then among those that rest. */
function searching<M extends SessionRpc>(rpc: M, handler: AnyHandler, cluster: Cluster): AnyHandler {
  return async (request, client, metadata) => {
    try {
      return await handler(request, client, metadata);
    } catch (error) {
      if (!isNotHere(error)) throw error;
      const asked = request as Input<Request<M>> & { session?: string };
      const { replies, failures } = await cluster.askOthers(rpc, asked, client);
      if (replies[0]) return replies[0];
      for (const each of failures) throwUnlessNotHere(each);
      using claimed = await claimNamed(cluster, asked.session ?? "", client);
      if (claimed.count === 0) throw error;
      return await handler(request, client, metadata);
    }
  };
}

/** Throws the error of a daemon that has the session, or STORE_UNAVAILABLE for one that did not say. */
function throwUnlessNotHere(error: unknown): void {
  const theirs = fromStatus(error as ServiceError);
  // An error of the transport has a code, and the daemon may have begun.
  const effect = (error as ServiceError).code === undefined ? "none" : "unknown";
  if (!theirs) throw storeUnavailable("a daemon that may have the session does not answer", effect, error);
  if (!NOT_HERE.has(theirs.type)) throw fail(theirs.type, theirs.details as never, error);
}

function keyOf({ client, id }: Input<Session>): string {
  return sessionKey(client ?? "", id ?? "");
}

function isNotHere(error: unknown): boolean {
  return isTroupeError(error) && NOT_HERE.has(error.type);
}
