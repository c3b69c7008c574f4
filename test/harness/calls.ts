// Makes gRPC calls as the clients of a daemon or a worker do.
import assert from "node:assert/strict";
import { type Client, type ClientReadableStream, Metadata, type MethodDefinition } from "@grpc/grpc-js";
import { serviceDefinition } from "../../proto/wire/service.ts";

/** A name with several values is sent once for each, and one without a value is not sent. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface CallSettings {
  headers?: Headers;
  /** A stream has no deadline unless it gets one. */
  deadlineMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

type Service = Parameters<typeof serviceDefinition>[0];
export type Method = `${Service}.${string}`;
type Definition<I, O> = Pick<MethodDefinition<I, O>, "path" | "requestSerialize" | "responseDeserialize">;

export const CALL_MS = 30_000;

export function metadataOf(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) metadata.add(name, value);
  return metadata;
}

/** Resolves to the reply. Rejects with the gRPC error. */
export function unary<R>(
  client: Client,
  method: Method,
  request: object,
  settings?: CallSettings,
): Promise<R> {
  return sent(client, definitionOf(method), request, settings) as Promise<R>;
}

/** Sends bytes as they are. Resolves to those of the reply. */
export function unaryBytes(
  client: Client,
  method: Method,
  bytes: Buffer,
  settings?: CallSettings,
): Promise<Buffer> {
  const [path, same] = [`/troupe.v1.${method.replace(".", "/")}`, (each: Buffer) => each];
  return sent(client, { path, requestSerialize: same, responseDeserialize: same }, bytes, settings);
}

function sent<I, O>(
  client: Client,
  { path, requestSerialize, responseDeserialize }: Definition<I, O>,
  request: I,
  { headers = {}, deadlineMs = CALL_MS, signal }: CallSettings = {},
): Promise<O> {
  const { promise, resolve, reject } = Promise.withResolvers<O>();
  const call = client.makeUnaryRequest(
    path,
    requestSerialize,
    responseDeserialize,
    request,
    metadataOf(headers),
    { deadline: Date.now() + deadlineMs },
    (error, reply) => (error ? reject(error) : resolve(reply as O)),
  );
  signal?.addEventListener("abort", () => call.cancel());
  return promise;
}

/** Returns the replies as they come. The signal ends the call. */
export function serverStream<R>(
  client: Client,
  method: Method,
  request: object,
  { headers = {}, deadlineMs, signal }: CallSettings = {},
): ClientReadableStream<R> {
  const { path, requestSerialize, responseDeserialize } = definitionOf(method);
  const call = client.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    request,
    metadataOf(headers),
    deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs },
  );
  signal?.addEventListener("abort", () => call.cancel());
  return call as ClientReadableStream<R>;
}

function definitionOf(method: Method): Definition<object, object> {
  const [service, rpc = ""] = method.split(".") as [Service, string];
  const definition = serviceDefinition(service)[rpc];
  assert.ok(definition, `there is no ${method}`);
  return definition;
}
