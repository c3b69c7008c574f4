// The service troupe.v1.Browser: passes each call to the dispatcher, and its reply or failure back.
import type { EventEmitter } from "node:events";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  ServerUnaryCall,
  ServerWritableStream,
  StatusObject,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import { type Calls, executeStream, executeUnary } from "../calls/execute.ts";
import { GONE, type ToolCall } from "../calls/in-flight-call.ts";
import type { IdentifyCaller } from "./caller-identity.ts";

/** The handlers. Requests and responses are bytes. */
export function browserService(calls: Calls, who: IdentifyCaller): UntypedServiceImplementation {
  return Object.fromEntries(
    rpcs().map((tool) => [tool.rpc, tool.streams ? streaming(tool, calls, who) : unary(tool, calls, who)]),
  );
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

function toolCall(
  call: ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>,
  who: IdentifyCaller,
): ToolCall {
  const deadline = call.getDeadline();
  const gone = new AbortController();
  (call as EventEmitter).once("cancelled", () => gone.abort(GONE));
  return {
    client: () => who(call),
    metadata: call.metadata,
    request: call.request,
    deadlineMs: typeof deadline === "number" ? deadline : deadline.getTime(),
    gone: gone.signal,
    greet: (greeting) => call.sendMetadata(greeting),
  };
}
