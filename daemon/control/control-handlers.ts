// The rpcs of the control plane and their handlers, as types.
import type { Metadata } from "@grpc/grpc-js";
import type { ControlMethods, Input } from "../../proto/gen/troupe.ts";
import type { Client } from "../admission/client.ts";

/** The rpcs with one request and one response. */
export type ControlRpc = Exclude<keyof ControlMethods, "WatchEvents">;

/**
 * Each handler returns the response for a client, or rejects with a TroupeError. `othersUntilMs`: the latest answer of
 * another daemon or the database, in milliseconds since the epoch.
 */
export type ControlHandlers = {
  [M in ControlRpc]: (
    request: ControlMethods[M]["request"],
    client: Client,
    metadata: Metadata,
    othersUntilMs?: number,
  ) => Input<ControlMethods[M]["response"]> | Promise<Input<ControlMethods[M]["response"]>>;
};
