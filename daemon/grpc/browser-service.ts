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
import { type Calls, executeStream, executeUnary, executeUpload } from "../calls/execute.ts";
import { GONE, type ToolCall } from "../calls/in-flight-call.ts";
import type { IdentifyCaller } from "./caller-identity.ts";

/** The handlers. Requests and responses are bytes. */
export function browserService(calls: Calls, who: IdentifyCaller): UntypedServiceImplementation {
  return Object.fromEntries(rpcs().map((tool) => [tool.rpc, handlerOf(tool)(tool, calls, who)]));
}

function handlerOf({ takesStream, streams }: Tool) {
  if (takesStream) return uploading;
  return streams ? streaming : unary;
}

function uploading(tool: Tool, calls: Calls, who: IdentifyCaller): handleClientStreamingCall<Buffer, Buffer> {
  return (call, callback) => {
    const met = toolCall(Object.assign(call, { request: Buffer.alloc(0) }), who);
    calls.desk.take(tool, met, executeUpload(calls, call)).then(
      (bytes) => callback(null, bytes),
      (failed: StatusObject) => callback(failed),
    );
  };
}

function unary(tool: Tool, calls: Calls, who: IdentifyCaller): handleUnaryCall<Buffer, Buffer> {
  const carry = executeUnary(tool, calls);
  return (call, callback) => {
    calls.desk.take(tool, toolCall(call, who), carry).then(
      (bytes) => callback(null, bytes),
      (failed: StatusObject) => callback(failed),
    );
  };
}

function streaming(tool: Tool, calls: Calls, who: IdentifyCaller): handleServerStreamingCall<Buffer, Buffer> {
  return (call) => {
    const met = { ...toolCall(call, who), isSent: () => call.writableFinished };
    calls.desk.take(tool, met, executeStream(tool, calls, call)).then(
      () => call.end(),
      (failed: StatusObject) => call.emit("error", failed),
    );
  };
}

type Used = "request" | "metadata" | "getDeadline" | "sendMetadata" | "getAuthContext" | "once";

function toolCall(call: Pick<ServerUnaryCall<Buffer, Buffer>, Used>, who: IdentifyCaller): ToolCall {
  const deadline = call.getDeadline();
  const gone = new AbortController();
  call.once("cancelled", () => gone.abort(GONE));
  return {
    client: () => who(call),
    metadata: call.metadata,
    request: call.request,
    deadlineMs: typeof deadline === "number" ? deadline : deadline.getTime(),
    gone: gone.signal,
    greet: (greeting) => call.sendMetadata(greeting),
  };
}
