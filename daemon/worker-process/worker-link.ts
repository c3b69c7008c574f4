// The gRPC connection to one worker: its private service by name, and raw tool calls.
import {
  type Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  Metadata,
  makeClientConstructor,
  type ServiceError,
} from "@grpc/grpc-js";
import type {
  Input,
  WatchWorkerResponse,
  WorkerMethods,
  WorkerTakeOverRequest,
  WorkerTakeOverResponse,
} from "../../proto/gen/troupe.ts";
import { FLOW_CONTROL_BYTES, serviceDefinition } from "../../proto/wire/service.ts";

type Unary = Exclude<keyof WorkerMethods, "WatchWorker" | "TakeOver">;
/** A person's turn in a session. */
export type TakeOverStream = ClientDuplexStream<Input<WorkerTakeOverRequest>, WorkerTakeOverResponse>;
type UnaryCall = (
  request: object,
  metadata: Metadata,
  options: { deadline: number },
  callback: (error: ServiceError | null, response: object) => void,
) => void;

const WorkerClient = makeClientConstructor(serviceDefinition("Worker"), "Worker");
/** The largest reply of a tool: a picture or a whole snapshot. */
export const RESPONSE_BYTES_MAX = 64 * 2 ** 20;

export class WorkerLink implements Disposable {
  /** The client for raw calls. */
  readonly client: Client;

  constructor(socket: string) {
    this.client = new WorkerClient(`unix:${socket}`, credentials.createInsecure(), {
      "grpc.max_receive_message_length": RESPONSE_BYTES_MAX,
      "grpc.max_send_message_length": RESPONSE_BYTES_MAX,
      "grpc-node.flow_control_window": FLOW_CONTROL_BYTES,
      // A call that broke may have taken effect. Only a plan may repeat it, never the transport.
      "grpc.enable_retries": 0,
      "grpc.use_local_subchannel_pool": 1,
    });
  }

  /** Asks the worker. Rejects with the call's ServiceError. */
  ask<M extends Unary>(
    method: M,
    request: Input<WorkerMethods[M]["request"]>,
    timeoutMs: number,
  ): Promise<WorkerMethods[M]["response"]> {
    const call = (this.client as unknown as Record<M, UnaryCall>)[method];
    return new Promise((resolve, reject) => {
      call.call(
        this.client,
        request,
        new Metadata(),
        { deadline: Date.now() + timeoutMs },
        (error, response) => (error ? reject(error) : resolve(response as WorkerMethods[M]["response"])),
      );
    });
  }

  /** Streams the worker's events as long as it lives. */
  watch(): ClientReadableStream<WatchWorkerResponse> {
    const watch = (
      this.client as unknown as Record<
        "WatchWorker",
        (request: object) => ClientReadableStream<WatchWorkerResponse>
      >
    ).WatchWorker;
    return watch.call(this.client, {});
  }

  /** Opens a person's turn in a session. It ends with either side. */
  takeOver(): TakeOverStream {
    const open = (this.client as unknown as Record<"TakeOver", () => TakeOverStream>).TakeOver;
    return open.call(this.client);
  }

  [Symbol.dispose](): void {
    this.client.close();
  }
}
