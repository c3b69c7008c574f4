// Takes a call from any door to its place: this daemon's dispatcher, or the daemon that has its session.
import { Metadata, type ServiceError, type StatusObject, status } from "@grpc/grpc-js";
import { fail, isTroupeError, type TroupeError } from "../../proto/errors/catalogue.ts";
import { within } from "../../proto/machine/within.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { NOT_OWNER, PEER_CLIENT, STATUS_DETAILS } from "../../proto/wire/metadata.ts";
import { decode } from "../../proto/wire/schema.ts";
import { type Caller, callerOf } from "../admission/caller.ts";
import { type Cluster, OWNER_GONE } from "../cluster/cluster.ts";
import { isFromOther } from "../cluster/meant-daemon.ts";
import { clientText } from "../cluster/peer-identity.ts";
import type { Peer, Place } from "../cluster/session-router.ts";
import { draining, ownerUnreached, storeUnavailable } from "../sessions/unavailable.ts";
import { nextVisit } from "../sessions/visit.ts";
import { type Calls, executeStream, executeUnary, executeUpload } from "./execute.ts";
import { passedOn } from "./failed-call.ts";
import { forwardStream, forwardUnary, forwardUpload, type Outgoing, pathOf, type Sink } from "./forward.ts";
import { type AdmittedCall, cancelled, type ToolCall, timeFor } from "./in-flight-call.ts";

/** The longest wait for a place, if the caller gives no earlier deadline. */
const PLACE_MS_MAX = 30_000;
const RETRY_AFTER_MS = 500;

/** Resolves with the response's bytes. Rejects with the StatusObject for the client. */
export function takeUnary(calls: Calls, tool: Tool, call: ToolCall): Promise<Buffer> {
  return inPlace(calls, tool, call, { here: executeUnary(tool, calls), there: forwardUnary });
}

/** Passes the messages of a tool that streams to the sink. Rejects with the StatusObject for the client. */
export function takeStream(calls: Calls, tool: Tool, call: ToolCall, to: Sink): Promise<void> {
  const see = () => undefined;
  return inPlace(calls, tool, call, {
    here: executeStream(tool, calls, to),
    there: (out) => forwardStream(out, to, see),
  });
}

/** Passes a client's parts on. Resolves with the response's bytes. Rejects with the StatusObject for the client. */
export function takeUpload(
  calls: Calls,
  tool: Tool,
  call: ToolCall,
  parts: AsyncIterable<Buffer>,
): Promise<Buffer> {
  return inPlace(calls, tool, call, {
    here: executeUpload(calls, parts),
    there: (out) => forwardUpload(out, parts),
  });
}

/**
 * Takes a call whose arguments make no request. The session learns of the failure if it is here. Rejects with the
 * StatusObject for the client.
 */
export function takeRefused(calls: Calls, tool: Tool, call: ToolCall, refusal: TroupeError): Promise<never> {
  const { desk, cluster } = calls;
  const key = cluster && callerIn(call)?.key;
  const isHere = key === undefined || cluster?.owns(key);
  return desk.take(tool, isHere ? call : { ...call, refusal }, () => Promise.reject(refusal));
}

/** The two ways to make a reply. */
interface Ways<T> {
  here(under: AdmittedCall): Promise<T>;
  there(out: Outgoing): Promise<T>;
}

/**
 * A reply, or the reason that the call is to be placed again. `another daemon`: it has the address of the meant one.
 * `owner`: the session's owner, as the other daemon knows it.
 */
type Outcome<T> = { reply: T } | { again: "not begun" | "broken off" | "another daemon"; owner?: string };

/** Makes the reply in the daemon that has the call's session. Rejects with the StatusObject for the client. */
function inPlace<T>(calls: Calls, tool: Tool, call: ToolCall, ways: Ways<T>): Promise<T> {
  const { desk, cluster } = calls;
  const caller = cluster && callerIn(call);
  // The dispatcher refuses a call without a caller.
  if (!cluster || !caller) return desk.take(tool, call, ways.here);
  return routed({ calls, cluster, tool, call, caller }, ways);
}

/** A call among several daemons. */
interface Routed {
  calls: Calls;
  cluster: Cluster;
  tool: Tool;
  call: ToolCall;
  caller: Caller;
}

async function routed<T>(route: Routed, ways: Ways<T>): Promise<T> {
  const { calls, cluster, tool, call } = route;
  const progress: Progress = { hasBegun: false };
  using _taken = cluster.taken();
  try {
    if (!call.isForwarded) calls.desk.count(tool, call);
    if (tool.watches && cluster.router.isDraining) throw draining("none");
    return await served(route, ways, progress);
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    // Whatever hinders the next attempt, an earlier one may have acted.
    const { hasBegun } = progress;
    return await refused(calls, tool, call, hasBegun && !tool.readOnly ? connectionLost() : error);
  }
}

/** How far a call has come. `hasBegun`: a daemon may have begun it, though its reply never came. */
interface Progress {
  hasBegun: boolean;
}

/** Places the call until a daemon has served it. One that may have begun is never sent again. */
async function served<T>(route: Routed, ways: Ways<T>, progress: Progress): Promise<T> {
  const { calls, cluster, call, caller } = route;
  const { clock } = calls.desk;
  const untilMs = clock.steady() + timeFor(call, clock.now(), PLACE_MS_MAX);
  for (;;) {
    const { hasBegun } = progress;
    const place = await placed(route, untilMs);
    if ("owner" in place) throw notOwner(place.owner);
    if ("use" in place && hasBegun) return await brokenOff(route, place.use);
    if ("use" in place) return await carriedOut(route, place.use, ways.here);
    if (hasBegun) throw connectionLost();
    const outcome = await sent(route, place, ways);
    if ("reply" in outcome) return outcome.reply;
    cluster.router.learn(caller.key, outcome.owner);
    if (outcome.again === "another daemon") {
      await inTime(route, untilMs, cluster.router.replaced(place.pod, caller.key));
    } else if (outcome.again === "broken off") {
      progress.hasBegun = true;
      if (await inTime(route, untilMs, cluster.goesOn(place.pod))) throw connectionLost();
    } else await cluster.router.unplaced(untilMs);
  }
}

/** Waits for the call's place no longer than its client does. A place that is found later is given back. */
async function placed(route: Routed, untilMs: number): Promise<Place> {
  const { cluster, tool, call, caller } = route;
  let isUnreached = false;
  const placing = cluster.router.placeOf(identityOf(caller), {
    untilMs,
    unreached: () => {
      isUnreached = true;
    },
    isForwarded: call.isForwarded === true,
    use: tool.watches ? "watches" : "calls",
    renewsRefs: () => renewsRefs(tool, call),
  });
  try {
    return await inTime(route, untilMs, placing, () => (isUnreached ? ownerUnreached() : undefined));
  } catch (error) {
    const giveBack = (place: Place) => "use" in place && place.use[Symbol.dispose]();
    // The error that it may reject with comes too late for anyone.
    placing.then(giveBack, () => undefined);
    throw error;
  }
}

/** Waits no longer than the call's client. Rejects with STORE_UNAVAILABLE or CANCELLED. */
function inTime<T>(
  { calls, call }: Routed,
  untilMs: number,
  work: Promise<T>,
  hindered?: () => TroupeError | undefined,
): Promise<T> {
  const { clock } = calls.desk;
  const late = () => hindered?.() ?? storeUnavailable("no daemon could take the session in time");
  const timeMs = untilMs - clock.steady();
  return within({ timeMs, late, signal: call.gone, aborted: cancelled, clock }, work);
}

/** Makes the reply here. The session stays meanwhile. */
async function carriedOut<T>(
  { calls, tool, call }: Routed,
  use: Disposable,
  carry: (under: AdmittedCall) => Promise<T>,
): Promise<T> {
  using _ = use;
  return await calls.desk.take(tool, { ...call, isCounted: true }, carry);
}

/** Ends a call that another daemon has begun. It stays begun even if this one refuses it. */
async function brokenOff(route: Routed, use: Disposable): Promise<never> {
  const { calls, tool } = route;
  let isAdmitted = false;
  const carry = async (under: AdmittedCall) => {
    isAdmitted = true;
    return await interrupted(calls, tool)(under);
  };
  try {
    return await carriedOut(route, use, carry);
  } catch (error) {
    throw isAdmitted || tool.readOnly ? error : connectionLost();
  }
}

/** A whole snapshot and a new page give all refs anew. */
function renewsRefs({ snapshot, startsAnew, arrival, request }: Tool, call: ToolCall): boolean {
  if (!snapshot && !(startsAnew && arrival === "page")) return false;
  try {
    return !decode<{ ref?: string }>(request, call.request).ref;
  } catch {
    // The bytes are no such message, which the owner of the session finds out.
    return false;
  }
}

function identityOf({ key, session: id, client }: Caller) {
  return { key, id, client: client.name };
}

/** Returns undefined if the call has no valid caller. */
function callerIn(call: ToolCall): Caller | undefined {
  try {
    return callerOf(call.metadata, call.client());
  } catch (error) {
    if (isTroupeError(error)) return undefined;
    throw error;
  }
}

function refused(calls: Calls, tool: Tool, call: ToolCall, refusal: TroupeError): Promise<never> {
  return calls.desk.take(tool, { ...call, refusal, isCounted: true }, () => Promise.reject(refusal));
}

/** Rejects with the other daemon's StatusObject, or with the TroupeError that ended the call here. */
async function sent<T>(
  { calls, cluster, tool, call, caller }: Routed,
  { pod, client }: Peer,
  { there }: Ways<T>,
): Promise<Outcome<T>> {
  using forwarding = cluster.forwarding(pod);
  const { desk } = calls;
  using _counted = tool.watches ? desk.watches.add(caller.client.name) : undefined;
  const cut = new AbortController();
  // A stream lasts. Meanwhile its client's token may expire, be removed, or get other rights.
  using _watch = tool.streams ? desk.watchRights(tool, call, (error) => cut.abort(error)) : undefined;
  using _alarm = alarmAt(desk, desk.timeElsewhere(tool, call), () => cut.abort(silent(tool)));
  const metadata = call.metadata.clone();
  // The credential was checked here, and stays here.
  metadata.remove("authorization");
  metadata.set(PEER_CLIENT, clientText(caller.client));
  const hasDeadline = Number.isFinite(call.deadlineMs);
  const leaving = tool.watches ? cluster.leaving : undefined;
  const ends = [forwarding.signal, cut.signal, call.gone, call.unwanted, leaving];
  try {
    const reply = await there({
      client,
      path: pathOf(tool),
      request: call.request,
      metadata,
      options: hasDeadline ? { deadline: call.deadlineMs } : {},
      signal: AbortSignal.any(ends.filter((each) => each !== undefined)),
      headers: (headers) => call.greet(headers),
      greetsFirst: true,
    });
    return { reply };
  } catch (error) {
    if (isTroupeError(error)) throw error;
    if (error === OWNER_GONE) return { again: "broken off" };
    if (call.gone.aborted) throw statusOf(error);
    const failed = error as ServiceError;
    if (isFromOther(failed)) return { again: "another daemon" };
    const [owner] = failed.metadata?.get(NOT_OWNER) ?? [];
    if (owner !== undefined) return { again: "not begun", owner: String(owner) };
    if (failed.metadata?.get(STATUS_DETAILS).length > 0) throw passedOn(failed);
    return { again: "broken off" };
  }
}

/** The client is gone, so no one reads it. */
function statusOf(error: unknown): StatusObject {
  return { code: status.CANCELLED, details: String(error), metadata: new Metadata() };
}

function notOwner(owner: string | undefined): StatusObject {
  const metadata = new Metadata();
  metadata.set(NOT_OWNER, owner ?? "");
  return { code: status.FAILED_PRECONDITION, details: "this daemon does not have the session", metadata };
}

/** The daemon is there, but the connection to it broke while it carried the call out. */
function connectionLost(): TroupeError {
  return unreachable("the connection between two daemons broke during the call", "unknown");
}

/** The daemon took the call and gave no reply in time, not even an error. It may stand still. */
function silent({ readOnly }: Tool): TroupeError {
  return unreachable("the daemon that has the session gave no reply in time", readOnly ? "none" : "unknown");
}

function unreachable(reason: string, effect: "none" | "unknown"): TroupeError {
  return fail("DAEMON_UNREACHABLE", { reason, retryAfterMs: RETRY_AFTER_MS, effect });
}

function alarmAt({ clock }: Calls["desk"], inMs: number, ring: () => void): Disposable {
  const alarm = clock.after(inMs, ring);
  return { [Symbol.dispose]: () => alarm.cancel() };
}

/** Fails a call that broke off because its daemon has ended. The session then knows of that end. */
function interrupted({ desk }: Calls, tool: Tool): (under: AdmittedCall) => Promise<never> {
  return async ({ session, role: name }) => {
    const role = desk.roleOf(name);
    const visit = session.visits.get(name);
    if (role && visit) session.visits.set(name, nextVisit(visit, "informed", role.losses.deaths));
    throw fail("WORKER_RESTARTED", {
      role: name,
      reason: OWNER_GONE,
      daemonEnded: true,
      effect: tool.readOnly ? "none" : "unknown",
    });
  };
}
