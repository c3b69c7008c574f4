// Asks other daemons: their control planes on behalf of a client, and what only daemons ask.
import { type Client as GrpcClient, Metadata, type MethodDefinition, type ServiceError } from "@grpc/grpc-js";
import type { ControlMethods, Input } from "../../proto/gen/troupe.ts";
import { PEER_CLIENT } from "../../proto/wire/metadata.ts";
import { serviceDefinition } from "../../proto/wire/service.ts";
import type { Client } from "../admission/client.ts";
import type { Clock } from "../core/clock.ts";
import { clientText } from "./peer-identity.ts";

/** A daemon that does not answer for so long is left out. */
const ANSWER_MS = 5_000;

/** The rpcs that one daemon asks another. */
export type PeerRpc = Exclude<keyof ControlMethods, "WatchEvents">;
export type ControlReply<M extends PeerRpc> = Input<ControlMethods[M]["response"]>;

/** A question to a control plane. `othersUntilMs`: the latest answer, in milliseconds since the epoch. */
export interface Question<M extends PeerRpc> {
  rpc: M;
  request: Input<ControlMethods[M]["request"]>;
  client: Client;
  othersUntilMs?: number | undefined;
}

/** Resolves with a daemon's reply. Rejects with its ServiceError. */
export function askPeer<M extends PeerRpc>(
  peer: GrpcClient,
  { rpc, request, client, othersUntilMs }: Question<M>,
  clock: Clock,
): Promise<ControlReply<M>> {
  const metadata = new Metadata();
  metadata.set(PEER_CLIENT, clientText(client));
  return unaryOf(peer, methodOf("Control", rpc), { request, metadata, deadlineMs: othersUntilMs }, clock);
}

/** Resolves with a daemon's reply. Rejects with its ServiceError, also if it does not answer in time. */
export function unaryOf<T>(
  peer: GrpcClient,
  method: MethodDefinition<object, object>,
  {
    request,
    metadata = new Metadata(),
    deadlineMs = Number.POSITIVE_INFINITY,
  }: { request: object; metadata?: Metadata; deadlineMs?: number | undefined },
  clock: Clock,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  peer.makeUnaryRequest(
    method.path,
    method.requestSerialize,
    method.responseDeserialize,
    request,
    metadata,
    { deadline: Math.min(clock.now() + ANSWER_MS, deadlineMs) },
    (error: ServiceError | null, reply?: object) => (error ? reject(error) : resolve((reply ?? {}) as T)),
  );
  return promise;
}

export function methodOf(service: "Control" | "Peer", rpc: string): MethodDefinition<object, object> {
  const method = serviceDefinition(service)[rpc];
  if (!method) throw new Error(`there is no ${service}.${rpc}`);
  return method;
}
