// Reports gRPC calls that fail authentication, before any handler: to the caller with details, and to the log.
import { isTroupeError } from "../../proto/errors/catalogue.ts";
import { requestIdOf } from "../admission/caller.ts";
import { RejectionLog } from "../admission/rejection-log.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { AuthRejection } from "../grpc/auth-interceptor.ts";
import { statusOf } from "./control-status.ts";

export function authRejections({ clock, log }: { clock: Clock; log: Log }): AuthRejection {
  const unknown = new RejectionLog(clock, log);
  return (error, path, metadata) => {
    if (isTroupeError(error) && error.type === "UNAUTHENTICATED")
      unknown.tell({ tool: path.slice(path.lastIndexOf("/") + 1), requestId: requestIdOf(metadata) });
    return statusOf(error, path, metadata, clock, log);
  };
}
