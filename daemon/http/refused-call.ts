// Records an HTTP call of a tool that the client does not have, as the other doors record it.
import type { Metadata } from "@grpc/grpc-js";
import { type ErrorDetail, isTroupeError } from "../../proto/errors/catalogue.ts";
import type { JsonObject } from "../../proto/wire/struct.ts";
import { callerOf, requestIdOf } from "../admission/caller.ts";
import type { Client } from "../admission/client.ts";
import type { Rates } from "../admission/rate.ts";
import { firstRoleFor } from "../admission/rights.ts";
import { accountForRefusal, type RefusalParts } from "../calls/client-refusal.ts";
import type { Calls } from "../calls/execute.ts";
import { draining } from "../sessions/unavailable.ts";

export type AccountParts = RefusalParts & { rates: Rates };

/** A call as the client wrote it. */
export interface RefusedHttpCall {
  name: string;
  args: JsonObject;
  client: Client;
  /** The role in which its session begins, if the client asked for one. */
  firstRole?: string;
}

/** Takes a call of an unknown tool from the client's rate, like any other. Throws DAEMON_DRAINING or BUSY. */
export function takeFromRate({ desk }: Calls, { rates }: AccountParts, client: Client): void {
  if (desk.draining) throw draining("none");
  rates.take(client);
}

/** Records the call if it names its session as a call must. Returns false if it does not. */
export function recordRefusal(
  parts: AccountParts,
  metadata: Metadata,
  { name, args, client, firstRole }: RefusedHttpCall,
  error: ErrorDetail,
): boolean {
  if (error.type !== "UNKNOWN_TOOL") return false;
  try {
    const caller = callerOf(metadata, client);
    const first = firstRoleFor(client, firstRole, parts.supervisor.names, true);
    accountForRefusal(parts, { name, args, error }, caller, requestIdOf(metadata), first);
    return true;
  } catch (unfit) {
    // The answer is about the tool. The headers are checked with the next call.
    if (isTroupeError(unfit)) return false;
    throw unfit;
  }
}
