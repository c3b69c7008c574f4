// Lines of the log about the control plane: who changed what, and who was refused.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import type { ControlMethods } from "../../proto/gen/troupe.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Client } from "./client.ts";
import { RejectionLog } from "./rejection-log.ts";

/** Hears of each call that has ended; `client`: undefined where nobody known made it. */
export type ControlAudit = (call: {
  rpc: keyof ControlMethods;
  client: Client | undefined;
  requestId: string;
  error: unknown;
}) => void;

/** Who only looks is told of where somebody looks closely. */
const CHANGES: ReadonlySet<string> = new Set(["CloseSession", "ClearFailures", "RestartRole", "Drain"]);

export function controlAudit({ clock, log }: { clock: Clock; log: Log }): ControlAudit {
  const refusals = new RejectionLog(clock, log);
  return ({ rpc, client, requestId, error }) => {
    const outcome = error === undefined ? "OK" : isTroupeError(error) ? error.type : "INTERNAL";
    if (!client) return refusals.tell({ tool: rpc, requestId });
    const level = CHANGES.has(rpc) || outcome === "PERMISSION_DENIED" ? "info" : "debug";
    log[level]({ client: client.name, rpc, requestId, outcome }, "control");
  };
}
