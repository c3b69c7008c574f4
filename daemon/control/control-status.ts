// Turns a failed control call into the status for its client.
import { randomUUID } from "node:crypto";
import type { Metadata, StatusObject } from "@grpc/grpc-js";
import { detailOf, fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { toStatus } from "../../proto/errors/status.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

/** Makes the status for any error. An unforeseen one gets the number of a report. */
export function statusOf(
  cause: unknown,
  rpc: string,
  metadata: Metadata,
  clock: Clock,
  log: Log,
): StatusObject {
  const session = String(metadata.get(SESSION)[0] ?? "");
  const call = { tool: "", arguments: {}, profile: "full" as const, role: "", session, tab: "" };
  if (isTroupeError(cause)) return toStatus(detailOf(cause, call, clock.now()));
  const reportId = randomUUID().slice(0, 8);
  log.error({ err: cause, reportId, rpc }, "a control call failed in a way that nobody foresaw");
  return toStatus(detailOf(fail("INTERNAL", { reportId }), call, clock.now()));
}
