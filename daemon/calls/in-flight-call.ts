// A call on its way through the daemon.
import type { Metadata } from "@grpc/grpc-js";
import type { Tool } from "../../proto/tools/catalogue.ts";
import type { ElementMark } from "../../proto/wire/element-mark.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import type { Caller } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Worker } from "../worker-process/worker.ts";

/** A call of a tool as it came in at a door. */
export interface ToolCall {
  /** Who calls. Throws UNAUTHENTICATED. */
  client(): Client;
  /** What concerns the call and not its tool, by the names of proto/wire/metadata.ts. */
  metadata: Metadata;
  /** The request's message in bytes. */
  request: Buffer;
  /** The arguments as they were written, where no message can be made of them. */
  arguments?: JsonObject;
  /** When the client stops listening, in milliseconds since the epoch; infinite where it did not say. */
  deadlineMs: number;
  /** Aborted when the client cancels or goes away. */
  gone: AbortSignal;
  /** Whether all of the reply has left for the client; left out at a door that cannot say. */
  isSent?(): boolean;
  /** Sends what every reply begins with. */
  greet(greeting: Metadata): void;
}

/** What is known of a call from its first moment, and more and more on its way. */
export interface InFlightCall {
  tool: Tool;
  call: ToolCall;
  requestId: string;
  /** By the steady clock. */
  startedMs: number;
  /** What is left until the caller's deadline or the configuration's, whichever is sooner, however the dates move. */
  leftMs(): number;
  /** Aborted with a TroupeError when the call is to end early. */
  abort: AbortController;
  client?: Client;
  /** It was refused for its client's rate, as calls before it had been. */
  isOneOfMany?: boolean;
  caller?: Caller;
  session?: Session;
  /** A configured role. */
  role?: string;
  /** Whom it has been handed to. */
  worker?: Worker;
  /** The client may not have had the session's reply before this call. */
  mayLack?: boolean;
  /** The element that it was about, as the worker told. */
  element?: ElementMark;
}

/** A call whose caller, session and role are settled. */
export type AdmittedCall = InFlightCall &
  Required<Pick<InFlightCall, "client" | "caller" | "session" | "role">>;

/** How long before the caller's deadline it is answered: a share of the time it gave, up to a bound. */
const AHEAD_SHARE = 0.1;
const AHEAD_MS_MAX = 200;

/** How long the call may take from now on. */
export function timeFor(
  { deadlineMs }: Pick<ToolCall, "deadlineMs">,
  nowMs: number,
  callTimeoutMs: number,
): number {
  const theirsMs = deadlineMs - nowMs;
  // At its own deadline a client stops listening: what went wrong must reach it before.
  const aheadMs = Math.min(AHEAD_MS_MAX, Math.max(0, theirsMs) * AHEAD_SHARE);
  return Math.min(callTimeoutMs, theirsMs - aheadMs);
}

/** The largest request that is taken. */
export const REQUEST_BYTES_MAX = 4 * 2 ** 20;

/** Why a client listens no more. Without a reason of its own, each abort would make an error with its stack. */
export const GONE = "the client is gone";
