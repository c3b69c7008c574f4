// Logs calls of the control plane: which client changed what, and which calls were refused.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { ControlMethods } from "../../proto/gen/troupe.ts";
import { controlFlags } from "../../proto/tools/read-tools.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Client } from "./client.ts";
import { RejectionLog } from "./rejection-log.ts";

/** A session's longest name is that of its client, a slash, and its id. */
const SESSION_LENGTH_MAX = 1_000;

/** Receives each call that has ended. `client` is undefined if the caller was not identified. */
export type ControlAudit = (call: {
  rpc: keyof ControlMethods;
  client: Client | undefined;
  /** The session that the call names, if it names one. */
  session?: string | undefined;
  requestId: string;
  error: unknown;
}) => void;

export function controlAudit({ clock, log }: { clock: Clock; log: Log }): ControlAudit {
  const rejections = new RejectionLog(clock, log);
  return ({ rpc, client, session, requestId, error }) => {
    const outcome = error === undefined ? "OK" : isTroupeError(error) ? error.type : "INTERNAL";
    if (!client) return rejections.tell({ tool: rpc, requestId });
    const level = controlFlags(rpc).changes || outcome === "PERMISSION_DENIED" ? "info" : "debug";
    const about = session && { session: session.slice(0, SESSION_LENGTH_MAX) };
    log[level]({ client: client.name, rpc, ...about, requestId, outcome }, "control");
  };
}
