// The service troupe.v1.Browser: passes each call to the dispatcher, and its reply or failure back.
import type {
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  ServerUnaryCall,
  StatusObject,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { rpcs, type Tool } from "../../proto/tools/read-tools.ts";
import type { Calls } from "../calls/execute.ts";
import type { Sink } from "../calls/forward.ts";
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
    const met = toolCall(Object.assign(call, { request: Buffer.alloc(0) }), callers, greetsAtOnce(call));
    takeUpload(calls, tool, met, call).then(
      (bytes) => callback(null, bytes),
      (failed: StatusObject) => callback(failed),
    );
  };
}

function unary(tool: Tool, calls: Calls, callers: Callers): handleUnaryCall<Buffer, Buffer> {
  return (call, callback) => {
    const greeter = callers.areDaemons ? greetsAtOnce(call) : greetsWithReply(call);
    takeUnary(calls, tool, toolCall(call, callers, greeter))
      .finally(greeter.beforeReply)
      .then(
        (bytes) => callback(null, bytes),
        (failed: StatusObject) => callback(failed),
      );
  };
}

function streaming(tool: Tool, calls: Calls, callers: Callers): handleServerStreamingCall<Buffer, Buffer> {
  return (call) => {
    const greeter = callers.areDaemons || tool.watches ? greetsAtOnce(call) : greetsWithReply(call);
    const met = { ...toolCall(call, callers, greeter), isSent: () => call.writableFinished };
    const sink: Sink = {
      write(message) {
        greeter.beforeReply();
        return call.write(message);
      },
      once: (event, listener) => call.once(event, listener),
    };
    takeStream(calls, tool, met, sink)
      .finally(greeter.beforeReply)
      .then(
        () => call.end(),
        (failed: StatusObject) => call.emit("error", failed),
      );
  };
}

/** Sends the metadata that the reply begins with. */
interface Greeter extends Pick<ToolCall, "greet"> {
  /** Called before anything of the reply is sent. */
  beforeReply(): void;
}

type Greeted = Pick<ServerUnaryCall<Buffer, Buffer>, "sendMetadata">;

/** Another daemon learns from the greeting that the call has begun. A watch may have nothing else to send for long. */
function greetsAtOnce(call: Greeted): Greeter {
  let isGreeted = false;
  return {
    greet(greeting) {
      // A call that is placed again is greeted by each daemon that takes it.
      if (!isGreeted) call.sendMetadata(greeting);
      isGreeted = true;
    },
    beforeReply: () => undefined,
  };
}

/** Sends the greeting with the reply, because the client would wake up for it alone. */
function greetsWithReply(call: Greeted): Greeter {
  let greeting: Metadata | undefined;
  let isGreeted = false;
  return {
    greet(given) {
      greeting ??= given;
    },
    beforeReply() {
      if (greeting && !isGreeted) call.sendMetadata(greeting);
      isGreeted = true;
    },
  };
}

type Used = "request" | "metadata" | "getDeadline" | "getAuthContext" | "once";

function toolCall(
  call: Pick<ServerUnaryCall<Buffer, Buffer>, Used>,
  { identify, areDaemons }: Callers,
  { greet }: Greeter,
): ToolCall {
  const deadline = call.getDeadline();
  const gone = new AbortController();
  call.once("cancelled", () => gone.abort(GONE));
  return {
    client: () => identify(call),
    metadata: call.metadata,
    request: call.request,
    deadlineMs: typeof deadline === "number" ? deadline : deadline.getTime(),
    gone: gone.signal,
    isForwarded: areDaemons,
    greet,
  };
}
