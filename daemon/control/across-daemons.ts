// The control plane over all daemons of a store: lists are put together, and a session is looked for in each.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { ControlMethods, Input } from "../../proto/gen/troupe.ts";
import type { Client } from "../admission/client.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Log } from "../core/log.ts";
import type { ControlHandlers } from "./control-handlers.ts";

/** The rpcs that name a session, which any daemon may have. */
const OF_ONE_SESSION = ["CloseSession", "ExportSession", "TakeOver", "HandBack", "DecideApproval"] as const;
/** The errors of a daemon that does not have what the request names. */
const NOT_HERE: ReadonlySet<string> = new Set(["SESSION_EXPIRED", "INVALID_ARGUMENT"]);

type SessionRpc = (typeof OF_ONE_SESSION)[number];
type Request<M extends SessionRpc> = ControlMethods[M]["request"];

/** Returns handlers that also ask the other daemons. */
export function acrossDaemons(own: ControlHandlers, cluster: Cluster, log: Log): ControlHandlers {
  const others = async <M extends SessionRpc | "ListSessions" | "ListApprovals">(
    rpc: M,
    request: Input<ControlMethods[M]["request"]>,
    client: Client,
  ) => {
    const { replies, failures } = await cluster.askOthers(rpc, request, client);
    for (const error of failures) log.debug({ err: error, rpc }, "another daemon did not answer");
    return replies;
  };
  const searching = <M extends SessionRpc>(rpc: M): ControlHandlers[M] => {
    const handler = own[rpc] as (...call: Parameters<ControlHandlers[M]>) => Promise<object>;
    const search = async (request: Request<M>, client: Client, ...rest: unknown[]) => {
      try {
        return await (handler as (...call: unknown[]) => Promise<object>)(request, client, ...rest);
      } catch (error) {
        if (!isTroupeError(error) || !NOT_HERE.has(error.type)) throw error;
        const [found] = await others(rpc, request as Input<ControlMethods[M]["request"]>, client);
        if (!found) throw error;
        return found;
      }
    };
    return search as unknown as ControlHandlers[M];
  };
  return {
    ...own,
    ...(Object.fromEntries(OF_ONE_SESSION.map((rpc) => [rpc, searching(rpc)])) as Pick<
      ControlHandlers,
      SessionRpc
    >),
    async ListSessions(request, client, metadata) {
      const { sessions = [] } = await own.ListSessions(request, client, metadata);
      const more = await others("ListSessions", request, client);
      return { sessions: [...(sessions ?? []), ...more.flatMap((reply) => reply.sessions ?? [])] };
    },
    async ListApprovals(request, client, metadata) {
      const { approvals = [] } = await own.ListApprovals(request, client, metadata);
      const more = await others("ListApprovals", request, client);
      return { approvals: [...(approvals ?? []), ...more.flatMap((reply) => reply.approvals ?? [])] };
    },
  };
}
