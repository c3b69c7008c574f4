// A failed call of the control plane as its client is told.
import { randomUUID } from "node:crypto";
import type { Metadata, StatusObject } from "@grpc/grpc-js";
import { detailOf, fail, isTroupeError } from "../../proto/errors/catalogue.ts";
import { toStatus } from "../../proto/errors/status.ts";
import { SESSION } from "../../proto/wire/metadata.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

/** The status for whatever went wrong. */
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
