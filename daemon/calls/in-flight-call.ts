// A call on its way through the daemon.
import type { Metadata } from "@grpc/grpc-js";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import type { ElementMark } from "../../proto/wire/element-mark.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Caller } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Session } from "../sessions/session.ts";
import type { Worker } from "../worker-process/worker.ts";

/** A tool call as it came in at a door. */
export interface ToolCall {
  /** Identifies the client. Throws UNAUTHENTICATED. */
  client(): Client;
  /** The metadata of the call, by the names of proto/wire/metadata.ts. */
  metadata: Metadata;
  request: Buffer;
  /** The arguments as the client wrote them, if they do not make a message. */
  arguments?: JsonObject;
  /** The client's deadline in milliseconds since the epoch; infinite if it gave none. */
  deadlineMs: number;
  /** Aborted when the client cancels or goes away. */
  gone: AbortSignal;
  /** Aborted with a TroupeError if the door cannot use the reply. */
  unwanted?: AbortSignal;
  /** The current role of the session that this call may begin. Default: the client's first role. */
  firstRole?: string;
  /** Another daemon sent the call here, because it takes this one for the owner of the session. */
  isForwarded?: boolean;
  /** The call is counted against its client's rate already. */
  isCounted?: boolean;
  /** The reason that the call is refused, whatever its client may do. */
  refusal?: TroupeError;
  /** Returns true if all of the reply has left for the client. A door that cannot know leaves it out. */
  isSent?(): boolean;
  /** Sends the metadata that every reply begins with. */
  greet(greeting: Metadata): void;
}

/** The known facts of a call. They grow on its way. */
export interface InFlightCall {
  tool: Tool;
  call: ToolCall;
  requestId: string;
  /** The start by the steady clock. */
  startedMs: number;
  /** The time left until the caller's or the configuration's deadline, if the machine's clock is set too. */
  leftMs(): number;
  /** Aborted with a TroupeError to end the call early. */
  abort: AbortController;
  client?: Client;
  caller?: Caller;
  session?: Session;
  role?: string;
  worker?: Worker;
  /** True if the client may lack the session's reply before this call. */
  mayLack?: boolean;
  /** The id of its evidence; undefined for a call that is not recorded. */
  evidence?: string;
  /** The element that the call concerned, as the worker reported it. */
  element?: ElementMark;
}

/** A call whose caller, session and role are settled. */
export type AdmittedCall = InFlightCall &
  Required<Pick<InFlightCall, "client" | "caller" | "session" | "role">>;

/** The daemon answers before the caller's deadline by this share of its time, up to a bound. */
const AHEAD_SHARE = 0.1;
const AHEAD_MS_MAX = 500;

/** The time that the call may take from now on, in milliseconds. */
export function timeFor(
  { deadlineMs }: Pick<ToolCall, "deadlineMs">,
  nowMs: number,
  callTimeoutMs: number,
): number {
  const theirsMs = deadlineMs - nowMs;
  return Math.min(callTimeoutMs, theirsMs - aheadOf(theirsMs));
}

/** The time that another daemon may take for the call: more than it takes by {@link timeFor}, so that its reply wins. */
export function timeElsewhere(
  { deadlineMs }: Pick<ToolCall, "deadlineMs">,
  nowMs: number,
  callTimeoutMs: number,
): number {
  const theirsMs = deadlineMs - nowMs;
  return Math.min(callTimeoutMs + AHEAD_MS_MAX, theirsMs - aheadOf(theirsMs) / 2);
}

/** A client stops listening at its own deadline, so the error must reach it before. */
function aheadOf(theirsMs: number): number {
  return Math.min(AHEAD_MS_MAX, Math.max(0, theirsMs) * AHEAD_SHARE);
}

export const REQUEST_BYTES_MAX = 4 * 2 ** 20;

/** The abort reason of a client that is gone. Without a reason, each abort would make an error with its stack. */
export const GONE = "the client is gone";

/** Makes the error of a call whose client is gone. */
export function cancelled(): TroupeError {
  return fail("CANCELLED", { reason: "the client cancelled it or went away" });
}
