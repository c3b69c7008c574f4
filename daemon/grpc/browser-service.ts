// The service troupe.v1.Browser: passes each call to the dispatcher, and its reply or failure back.
import type {
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServerUnaryCall,
  StatusObject,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import type { Calls } from "../calls/execute.ts";
import { GONE, type ToolCall } from "../calls/in-flight-call.ts";
import { takeStream, takeUnary, takeUpload } from "../calls/take.ts";
import type { IdentifyCaller } from "./caller-identity.ts";

/** The callers at a door, and whether they are other daemons. */
export interface Callers {
  identify: IdentifyCaller;
  areDaemons: boolean;
}

/** The handlers. Requests and responses are bytes. */
export function browserService(calls: Calls, callers: Callers): UntypedServiceImplementation {
  return Object.fromEntries(rpcs().map((tool) => [tool.rpc, handlerOf(tool)(tool, calls, callers)]));
}

function handlerOf({ takesStream, streams }: Tool) {
  if (takesStream) return uploading;
  return streams ? streaming : unary;
}

function uploading(tool: Tool, calls: Calls, callers: Callers): handleClientStreamingCall<Buffer, Buffer> {
  return (call, callback) => {
    const met = toolCall(Object.assign(call, { request: Buffer.alloc(0) }), callers);
    takeUpload(calls, tool, met, call).then(
      (bytes) => callback(null, bytes),
      (failed: StatusObject) => callback(failed),
    );
  };
}

function unary(tool: Tool, calls: Calls, callers: Callers): handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    takeUnary(calls, tool, toolCall(call, callers)).then(
      (bytes) => callback(null, bytes),
      (failed: StatusObject) => callback(failed),
    );
  };
}

function streaming(tool: Tool, calls: Calls, callers: Callers): handleServerStreamingCall<Buffer, Buffer> {
  return (call) => {
    const met = { ...toolCall(call, callers), isSent: () => call.writableFinished };
    takeStream(calls, tool, met, call).then(
      () => call.end(),
      (failed: StatusObject) => call.emit("error", failed),
    );
  };
}

type Used = "request" | "metadata" | "getDeadline" | "sendMetadata" | "getAuthContext" | "once";

function toolCall(
  call: Pick<ServerUnaryCall<Buffer, Buffer>, Used>,
  { identify, areDaemons }: Callers,
): ToolCall {
  const deadline = call.getDeadline();
  const gone = new AbortController();
  call.once("cancelled", () => gone.abort(GONE));
  let isGreeted = false;
  return {
    client: () => identify(call),
    metadata: call.metadata,
    request: call.request,
    deadlineMs: typeof deadline === "number" ? deadline : deadline.getTime(),
    gone: gone.signal,
    isForwarded: areDaemons,
    greet(greeting) {
      // A call that is placed again is greeted by each daemon that takes it.
      if (isGreeted) return;
      isGreeted = true;
      call.sendMetadata(greeting);
    },
  };
}
