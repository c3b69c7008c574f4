// Sends one call of a tool over a connection, and interprets its failure.
import type { ServiceError } from "@grpc/grpc-js";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { fromStatus } from "../../proto/errors/status-detail.ts";
import type { Tool } from "../../proto/tools/read-tools.ts";
import { assembled, type Reply, replyOf } from "../../proto/wire/reply.ts";
import type { Json } from "../../proto/wire/struct.ts";
import { CallError } from "../connection/call-error.ts";
import type { Connection, RpcOptions, Services } from "../connection/connection.ts";
import { type Sent, type TransportFailure, transportFailure } from "../connection/transport-failure.ts";

/** Sends a tool's request and returns its reply. Rejects with grpc-js's ServiceError. */
export async function exchange(
  connection: Connection,
  tool: Tool,
  request: Record<string, Json>,
  options: RpcOptions,
): Promise<Reply> {
  if (tool.streams) return assembled(connection.stream("Browser", tool.rpc as "Snapshot", request, options));
  return replyOf(await connection.call("Browser", tool.rpc as keyof Services["Browser"], request, options));
}

/** The client's judgement of a failed call, in the catalogue's terms. */
export type Failure = Omit<TransportFailure, "error"> & { error: CallError | TroupeError };

/** Returns a caught failure in the catalogue's terms. */
export function failureOf(caught: unknown, sent: Sent): Failure {
  if (!isServiceError(caught))
    return { error: fail("INTERNAL", { reportId: sent.requestId }, caught), lost: false };
  const detail = fromStatus(caught);
  return detail ? { error: new CallError(detail, caught), lost: false } : transportFailure(caught, sent);
}

function isServiceError(caught: unknown): caught is ServiceError {
  return (
    caught instanceof Error && "code" in caught && typeof caught.code === "number" && "metadata" in caught
  );
}
