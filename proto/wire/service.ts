// gRPC service definitions for grpc-js. They are typed by message, or pass bytes through untouched.
import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";
import type protobuf from "protobufjs";
import { decode, encode, schema } from "./schema.ts";

/**
 * The bytes of a stream that may be on their way to its reader (HTTP/2 flow control). With the default of 64 KiB each
 * chunk of a snapshot would wait for the reader's permission.
 */
export const FLOW_CONTROL_BYTES = 2 ** 20;

/** Says if both sides of a method are messages or bytes. */
type Coding = "messages" | "bytes";

/** Returns the service `troupe.v1.NAME`, with requests and responses as plain objects or as their bytes. */
export function serviceDefinition(
  name: "Browser" | "Control" | "Worker" | "Peer",
  coding: Coding = "messages",
): ServiceDefinition {
  const service = schema().lookupService(`troupe.v1.${name}`);
  return Object.fromEntries(service.methodsArray.map((method) => [method.name, definition(method, coding)]));
}

function definition(method: protobuf.Method, coding: Coding): MethodDefinition<object, object> {
  const { resolvedRequestType: request, resolvedResponseType: response } =
    method.resolve() as protobuf.Method;
  if (!request || !response) throw new Error(`${method.fullName} has no types`);
  return {
    path: `/${method.parent?.fullName.slice(1)}/${method.name}`,
    requestStream: method.requestStream === true,
    responseStream: method.responseStream === true,
    originalName: method.name,
    ...(coding === "bytes" ? PASS_THROUGH : coded(request, response)),
  };
}

function coded(request: protobuf.Type, response: protobuf.Type) {
  return {
    requestSerialize: (value: object) => encode(request, value),
    requestDeserialize: (bytes: Buffer) => decode<object>(request, bytes),
    responseSerialize: (value: object) => encode(response, value),
    responseDeserialize: (bytes: Buffer) => decode<object>(response, bytes),
  };
}

const same = (bytes: object) => bytes as Buffer;
const PASS_THROUGH = {
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};
