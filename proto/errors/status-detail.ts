// Reads the error of a failed call from its gRPC status (google.rpc.Status, AIP-193). It needs nothing of grpc-js, which
// takes long to load.
import type { ServiceError } from "@grpc/grpc-js";
import { STATUS_DETAILS } from "../wire/metadata.ts";
import { decode, messageType } from "../wire/schema.ts";
import { fromStruct } from "../wire/struct.ts";
import type { ErrorDetail } from "./catalogue.ts";

export const ANY_PREFIX = "type.googleapis.com/";

/** Returns the error of a failed call; undefined if its status has no details of ours. */
export function fromStatus(error: Pick<ServiceError, "metadata">): ErrorDetail | undefined {
  const bytes = error.metadata?.get(STATUS_DETAILS)[0];
  if (!Buffer.isBuffer(bytes)) return undefined;
  const status = decode<{ details: { type_url?: string; typeUrl?: string; value: Uint8Array }[] }>(
    messageType("google.rpc.Status"),
    bytes,
  );
  const found = status.details.find(
    (any) => (any.type_url ?? any.typeUrl) === `${ANY_PREFIX}troupe.v1.ErrorDetail`,
  );
  return found && fromWire(decode(messageType("troupe.v1.ErrorDetail"), found.value));
}

type WireDetail = Omit<ErrorDetail, "details" | "steps" | "retry"> & {
  details: Parameters<typeof fromStruct>[0];
  steps: { text: string; tool?: string; arguments: Parameters<typeof fromStruct>[0] }[];
  retry: ErrorDetail["retry"] | null;
};

function fromWire(wire: WireDetail): ErrorDetail {
  const { retry, ...rest } = wire;
  return {
    ...rest,
    details: fromStruct(wire.details),
    steps: wire.steps.map(({ text, tool, arguments: args }) =>
      tool ? { text, tool, arguments: fromStruct(args) } : { text },
    ),
    ...(retry && { retry }),
  };
}
