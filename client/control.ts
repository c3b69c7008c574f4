// The control plane, for commands: typed calls of troupe.v1.Control, errors as plans.
import { randomUUID } from "node:crypto";
import type { ControlMethods, Input } from "../proto/gen/troupe.ts";
import * as headers from "../proto/metadata.ts";
import { VERSION } from "../proto/version.ts";
import { callError } from "./call-error.ts";
import type { DaemonLink } from "./daemon-link.ts";
import { judged } from "./exchange.ts";

/** What answers once. */
export type ControlRpc = Exclude<keyof ControlMethods, "WatchEvents">;

const DEADLINE_MS = 120_000;

/** Calls one rpc. Throws a CallError. */
export async function callControl<M extends ControlRpc>(
  link: DaemonLink,
  session: string,
  rpc: M,
  request: Input<ControlMethods[M]["request"]>,
): Promise<ControlMethods[M]["response"]> {
  const requestId = randomUUID();
  const sent = {
    [headers.SESSION]: session,
    [headers.VERSION_HEADER]: VERSION,
    [headers.REQUEST_ID]: requestId,
  };
  const known = { tool: rpc, arguments: {}, profile: "debug", role: "", session, tab: "" } as const;
  try {
    const connection = await link.connection();
    try {
      return (await connection.call("Control", rpc, request as never, {
        headers: sent,
        deadlineMs: DEADLINE_MS,
      })) as ControlMethods[M]["response"];
    } catch (error) {
      throw judged(error, { address: link.shown, deadlineMs: DEADLINE_MS, requestId }).error;
    }
  } catch (error) {
    throw callError(error, known, requestId);
  }
}
