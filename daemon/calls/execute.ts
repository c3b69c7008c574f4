// Executes an admitted call from any door: its role's worker makes the reply, or the daemon itself.

import { within } from "../../proto/machine/within.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { decode, encode } from "../../proto/wire/schema.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { unansweredInTime } from "../sessions/unavailable.ts";
import { snapshotMeter } from "../telemetry/snapshot-meter.ts";
import type { CallDispatcher } from "./dispatcher.ts";
import { malformed } from "./foreign-status.ts";
import { forwardStream, forwardUnary, forwardUpload, type Sink, toWorker } from "./forward.ts";
import type { AdmittedCall } from "./in-flight-call.ts";

/** A tool that the daemon answers itself, from its request to its response. */
export type OwnTool = (request: Record<string, unknown>, under: AdmittedCall) => object | Promise<object>;

export interface Calls {
  desk: CallDispatcher;
  /** By rpc. */
  own: ReadonlyMap<string, OwnTool>;
  /** The other daemons; undefined if this one is alone. */
  cluster?: Cluster | undefined;
}

/** Makes the response's bytes of a tool that does not stream. */
export function executeUnary(tool: Tool, calls: Calls): (under: AdmittedCall) => Promise<Buffer> {
  const ownTool = calls.own.get(tool.rpc);
  return ownTool ? (under) => answer(tool, ownTool, under, calls) : (under) => ask(calls.desk, under);
}

/** Passes the messages of a tool that streams on to the sink. */
export function executeStream(tool: Tool, { desk }: Calls, to: Sink): (under: AdmittedCall) => Promise<void> {
  return async (under) => {
    const { worker, release } = await desk.worker(under);
    const meter = snapshotMeter();
    try {
      await forwardStream(toWorker(worker, under), to, meter.see);
    } finally {
      release();
    }
    if (tool.snapshot) desk.snapshotPassed(under, meter.passed());
  };
}

/** Passes a client's parts on to the session's worker, and returns the response's bytes. */
export function executeUpload(
  { desk }: Calls,
  parts: AsyncIterable<Buffer>,
): (under: AdmittedCall) => Promise<Buffer> {
  return async (under) => {
    const { worker, release } = await desk.worker(under);
    try {
      return await forwardUpload(toWorker(worker, under), parts);
    } finally {
      release();
    }
  };
}

async function ask(desk: CallDispatcher, under: AdmittedCall): Promise<Buffer> {
  const { worker, release } = await desk.worker(under);
  try {
    return await forwardUnary(toWorker(worker, under));
  } finally {
    release();
  }
}

async function answer(
  tool: Tool,
  own: OwnTool,
  under: AdmittedCall,
  { desk: { clock }, cluster }: Calls,
): Promise<Buffer> {
  let request: Record<string, unknown>;
  try {
    request = decode(tool.request, under.call.request);
  } catch (error) {
    throw Object.assign(malformed(tool), { cause: error });
  }
  const answered = (async () => await own(request, under))();
  if (!cluster) return encode(tool.response, await answered);
  const late = () => unansweredInTime(tool.readOnly ? "none" : "unknown");
  return encode(tool.response, await within({ timeMs: under.leftMs(), late, clock }, answered));
}
