// The service troupe.v1.Browser: each tool handed to its role's worker, or answered here.
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  StatusObject,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { decode, encode } from "../../proto/schema.ts";
import { rpcs, type Tool } from "../../proto/tools.ts";
import type { CallDesk } from "./call-desk.ts";
import { malformed } from "./foreign-status.ts";
import { forwardStream, forwardUnary } from "./forward.ts";
import { snapshotMeter } from "./snapshot-meter.ts";
import type { AdmittedCall } from "./under-way.ts";

/** A tool that the daemon answers itself, from its request to its response. */
export type OwnTool = (request: Record<string, unknown>, under: AdmittedCall) => object | Promise<object>;

/** The handlers; requests and responses are bytes. */
export function browserService(
  desk: CallDesk,
  own: ReadonlyMap<string, OwnTool>,
): UntypedServiceImplementation {
  return Object.fromEntries(
    rpcs.map((tool) => [
      tool.rpc,
      tool.streams ? streaming(tool, desk) : unary(tool, desk, own.get(tool.rpc)),
    ]),
  );
}

function unary(tool: Tool, desk: CallDesk, own: OwnTool | undefined): handleUnaryCall<Buffer, Buffer> {
  const carry = own
    ? (under: AdmittedCall) => answer(tool, own, under)
    : (under: AdmittedCall) => ask(desk, under);
  return (call, callback) => {
    desk.take(tool, call, carry).then(
      (bytes) => callback(null, bytes),
      (failed: StatusObject) => callback(failed),
    );
  };
}

function streaming(tool: Tool, desk: CallDesk): handleServerStreamingCall<Buffer, Buffer> {
  return (call) => {
    const carry = async (under: AdmittedCall) => {
      const { worker, release } = await desk.worker(under);
      const meter = snapshotMeter();
      try {
        await forwardStream(worker, under, call, meter.see);
      } finally {
        release();
      }
      if (tool.rpc === "Snapshot") desk.snapshotPassed(under, meter.passed());
    };
    desk.take(tool, call, carry).then(
      () => call.end(),
      (failed: StatusObject) => call.emit("error", failed),
    );
  };
}

async function ask(desk: CallDesk, under: AdmittedCall): Promise<Buffer> {
  const { worker, release } = await desk.worker(under);
  try {
    return await forwardUnary(worker, under);
  } finally {
    release();
  }
}

async function answer(tool: Tool, own: OwnTool, under: AdmittedCall): Promise<Buffer> {
  let request: Record<string, unknown>;
  try {
    request = decode(tool.request, under.call.request);
  } catch (error) {
    throw Object.assign(malformed(tool), { cause: error });
  }
  return encode(tool.response, await own(request, under));
}
