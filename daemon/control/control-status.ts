// A failed call of the control plane as its client is told.
import { randomUUID } from "node:crypto";
import type { Metadata, StatusObject } from "@grpc/grpc-js";
import { detailOf, fail, isTroupeError } from "../../proto/errors.ts";
import { SESSION } from "../../proto/metadata.ts";
import { toStatus } from "../../proto/status.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";

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
