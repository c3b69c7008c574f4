// The service definition of Control as the daemon serves it: requests that are no messages reach the handler, too.
import type { ServiceDefinition } from "@grpc/grpc-js";
import { fail, type TroupeError } from "../../proto/errors/catalogue.ts";
import { serviceDefinition } from "../../proto/wire/service.ts";

/** Stands for a request whose bytes are no message of its type: grpc-js itself would answer without our details. */
class MalformedRequest {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

/** troupe.v1.Control; a handler passes its request through {@link wellFormed} first. */
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

/** The request. Throws INVALID_ARGUMENT where it was none. */
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
