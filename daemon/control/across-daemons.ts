// The control plane over all daemons of a store: lists are put together, and a session is looked for in each.
import type { Metadata } from "@grpc/grpc-js";
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { ControlMethods, Input, Session } from "../../proto/gen/troupe.ts";
import { type Client, sessionKey } from "../admission/client.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Log } from "../core/log.ts";
import { withUnknownEffect } from "../sessions/unavailable.ts";
import type { DirectoryEntry } from "../store/ownership.ts";
import type { ControlHandlers } from "./control-handlers.ts";
import { heldHere, isNotHere, namedSession, throwUnlessNotHere } from "./named-session.ts";
import { checkStoredWhole, seesStored, unservedFor } from "./unserved-sessions.ts";

/** The rpcs that name a session, which any daemon may have. */
const OF_ONE_SESSION = ["CloseSession", "ExportSession", "TakeOver", "HandBack", "DecideApproval"] as const;

type SessionRpc = (typeof OF_ONE_SESSION)[number];
type ListRpc = "ListSessions" | "ListApprovals" | "ClearFailures";
type Request<M extends SessionRpc | ListRpc> = ControlMethods[M]["request"];
type AnyHandler = (
  request: object,
  client: Client,
  metadata: Metadata,
  othersUntilMs?: number,
) => Promise<object>;

/** The caller of a request. */
interface Asking {
  client: Client;
  metadata: Metadata;
  othersUntilMs: number | undefined;
}

/** Returns handlers that also ask the other daemons. */
export function acrossDaemons(own: ControlHandlers, cluster: Cluster, log: Log): ControlHandlers {
  const others = async <M extends ListRpc>(
    rpc: M,
    request: Input<Request<M>>,
    client: Client,
    othersUntilMs?: number,
  ) => {
    const answers = await cluster.others.askAll(rpc, request, client, othersUntilMs);
    for (const error of answers.failures) log.warn({ err: error, rpc }, "another daemon was left out");
    return answers;
  };
  const searches = OF_ONE_SESSION.map((rpc) => [rpc, searching(rpc, own[rpc] as AnyHandler, cluster)]);
  const found = Object.fromEntries(searches) as Pick<ControlHandlers, SessionRpc>;
  return {
    ...own,
    ...found,
    CloseSession: closingBeside(found.CloseSession, cluster),
    async ListSessions(request, client, metadata, othersUntilMs) {
      const { sessions } = await own.ListSessions(request, client, metadata);
      const { replies, silent } = await others("ListSessions", request, client, othersUntilMs);
      // The sessions of a daemon that has ended rest from now on.
      const unserved = await unservedFor(cluster, silent, request, client);
      const all = [...(sessions ?? []), ...replies.flatMap((reply) => reply.sessions ?? []), ...unserved];
      // One that moves just now may be in several.
      const first = new Map(all.toReversed().map((each) => [keyOf(each), each]));
      return { sessions: all.filter((each) => first.get(keyOf(each)) === each) };
    },
    async ClearFailures(request, client, metadata, othersUntilMs) {
      await others("ClearFailures", request, client, othersUntilMs);
      return await own.ClearFailures(request, client, metadata);
    },
    async ListApprovals(request, client, metadata, othersUntilMs) {
      const { approvals } = await own.ListApprovals(request, client, metadata);
      const { replies } = await others("ListApprovals", request, client, othersUntilMs);
      return { approvals: [...(approvals ?? []), ...replies.flatMap((reply) => reply.approvals ?? [])] };
    },
  };
}

/**
 * Returns a handler that also closes the named sessions beside the session, wherever they are. The session is the last:
 * a close that breaks off can be repeated as long as it is there.
 */
function closingBeside(close: ControlHandlers["CloseSession"], cluster: Cluster): typeof close {
  return async (request, client, metadata, othersUntilMs) => {
    const { session, beside, isHere } = await storedBeside(cluster, request.session, client);
    const closed = (id: string) => close({ session: id }, client, metadata, othersUntilMs);
    const nameOf = (each: DirectoryEntry) => (each.client === client.name ? each.id : each.key);
    let hasEnded = false;
    try {
      for (const each of beside) {
        const isEnded = await unlessGone(() => ended(cluster, each, () => closed(nameOf(each))));
        hasEnded ||= isEnded;
      }
      if (session) await ended(cluster, session, () => closed(nameOf(session)));
      // A connection that has named sessions only has no session of its own.
      else if (isHere || beside.length === 0) await closed(request.session);
    } catch (error) {
      if (beside.length > 0 && isGone(error)) return {};
      throw hasEnded ? withUnknownEffect(error) : error;
    }
    return {};
  };
}

/**
 * Returns the stored session of that name, unless it is here or there is none, and the named sessions beside it. Throws
 * PERMISSION_DENIED if the client may not close all of them.
 */
async function storedBeside(cluster: Cluster, name: string, client: Client) {
  const own = sessionKey(client.name, name);
  const isHere = cluster.owns(own);
  const besideOwn = await cluster.directory.beside(own);
  const found = isHere ? undefined : await namedSession(cluster, name, client);
  // The client's own sessions come before another client's session of that name.
  const isMeant =
    found && (found.key === own || besideOwn.length === 0) && seesStored(found, client, "write");
  const session = isMeant ? found : undefined;
  const isOwn = !session || session.key === own;
  const beside = isOwn ? besideOwn : await cluster.directory.beside(session.key);
  for (const each of session ? [...beside, session] : beside) checkStoredWhole(each, client);
  return { session, isHere, beside };
}

/** Ends a stored session. If this daemon cannot take it, and no living one has it, its row is deleted. */
async function ended(
  { directory }: Cluster,
  { key }: DirectoryEntry,
  close: () => object | Promise<object>,
): Promise<void> {
  try {
    await close();
  } catch (error) {
    if (!isUntaken(error) || !(await directory.remove(key))) throw error;
  }
}

/** Reports if a daemon could not take the session, and has done nothing. */
function isUntaken(error: unknown): boolean {
  if (!isTroupeError(error)) return false;
  const { effect } = error.data as { effect?: string };
  return (error.type === "STORE_UNAVAILABLE" || error.type === "DAEMON_DRAINING") && effect === "none";
}

/** Returns true if a session was ended, and false if there is no such session. Rejects with other errors. */
async function unlessGone(end: () => Promise<void>): Promise<boolean> {
  try {
    await end();
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return isTroupeError(error) && error.type === "SESSION_EXPIRED";
}

/**
 * Returns a handler that acts on the session that is named, wherever it is. A request without such a session is one for
 * the daemon that knows its subject.
 */
function searching<M extends SessionRpc>(rpc: M, handler: AnyHandler, cluster: Cluster): AnyHandler {
  const anywhere = async (request: Input<Request<M>>, { client, metadata, othersUntilMs }: Asking) => {
    try {
      return await handler(request, client, metadata);
    } catch (error) {
      if (!isTroupeError(error) || !isNotHere(error.type)) throw error;
      const { replies, failures } = await cluster.others.askAll(rpc, request, client, othersUntilMs);
      if (replies[0]) return replies[0];
      for (const each of failures) throwUnlessNotHere(each);
      throw error;
    }
  };
  return async (request, client, metadata, othersUntilMs) => {
    const by = { client, metadata, othersUntilMs };
    const asked = request as Input<Request<M>> & { session?: string };
    const own = sessionKey(client.name, asked.session ?? "");
    if (!asked.session || cluster.owns(own)) return await anywhere(asked, by);
    const found = await namedSession(cluster, asked.session, client);
    if (!found) return await anywhere(asked, by);
    const exactly = { ...asked, session: found.key === own ? asked.session : found.key };
    using held = await heldHere(cluster, found, client);
    if (held) return await handler(exactly, client, metadata);
    // Another daemon may have taken it since it was looked up.
    if (found.owner === undefined) return await anywhere(exactly, by);
    try {
      const reply = await cluster.others.askOwner(found.owner, rpc, exactly, client, othersUntilMs);
      if (reply) return reply;
    } catch (error) {
      if (isTroupeError(error)) throw error;
      throwUnlessNotHere(error);
      // It has moved since it was looked up.
      return await anywhere(exactly, by);
    }
    // Its daemon has ended, so it rests.
    using _ = await heldHere(cluster, { ...found, owner: undefined }, client);
    return await anywhere(exactly, by);
  };
}

function keyOf({ client, id }: Input<Session>): string {
  return sessionKey(client ?? "", id ?? "");
}
