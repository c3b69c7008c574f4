// What is refused over gRPC before any handler has it: told to its caller with details, and counted in the log.
import { isTroupeError } from "../../proto/errors.ts";
import type { AuthRejection } from "../admission/known-callers.ts";
import { RejectionLog } from "../admission/refusal-log.ts";
import { requestIdOf } from "../calls/caller.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { statusOf } from "./control-status.ts";

export function authRejections({ clock, log }: { clock: Clock; log: Log }): AuthRejection {
  const unknown = new RejectionLog(clock, log);
  return (error, path, metadata) => {
    if (isTroupeError(error) && error.type === "UNAUTHENTICATED")
      unknown.tell({ tool: path.slice(path.lastIndexOf("/") + 1), requestId: requestIdOf(metadata) });
    return statusOf(error, path, metadata, clock, log);
  };
}
