// The service definition of Control in the daemon. Malformed requests also reach the handlers.
import type { ServiceDefinition } from "@grpc/grpc-js";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { serviceDefinition } from "../../proto/wire/service.ts";

/** Stands for a malformed request. grpc-js itself would answer it without Troupe's error details. */
class MalformedRequest {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** Returns the definition of troupe.v1.Control. A handler passes its request through {@link wellFormed} first. */
export function controlDefinition(): ServiceDefinition {
  const methods = Object.entries(serviceDefinition("Control")).map(([rpc, method]) => {
    const { requestDeserialize } = method;
    const requestOrMalformed = (bytes: Buffer) => {
      try {
        return requestDeserialize(bytes);
      } catch (error) {
        return new MalformedRequest(error);
      }
    };
    return [rpc, { ...method, requestDeserialize: requestOrMalformed }];
  });
  return Object.fromEntries(methods) as ServiceDefinition;
}

/** Returns the request. Throws INVALID_ARGUMENT if it was malformed. */
export function wellFormed<R extends object>(request: R, rpc: string): R {
  if (request instanceof MalformedRequest) throw malformed(rpc, request.cause);
  return request;
}

function malformed(rpc: string, cause: unknown): TroupeError {
  return fail(
    "INVALID_ARGUMENT",
    { argument: "request", problem: `the request's bytes are no request of ${rpc}` },
    cause,
  );
}
