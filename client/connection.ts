// One gRPC connection to a daemon: calls and streams of plain objects, cancelled by a signal, ended by a deadline.
import net from "node:net";
import {
  Client,
  connectivityState,
  credentials,
  Metadata,
  type MethodDefinition,
  type ServiceDefinition,
} from "@grpc/grpc-js";
import type { BrowserMethods, ControlMethods, Input } from "../proto/gen/troupe.ts";
import { FLOW_CONTROL_BYTES, serviceDefinition } from "../proto/service.ts";
import type { Address } from "./address.ts";

/** The services that clients call. */
export interface Services {
  Browser: BrowserMethods;
  Control: ControlMethods;
}
type Shape = { request: object; response: object };
type Rpc<S extends keyof Services, M extends keyof Services[S]> = Services[S][M] extends Shape
  ? Services[S][M]
  : never;

export interface RpcOptions {
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Without it the call may last for ever. */
  deadlineMs?: number;
}

export interface OpenOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

const MESSAGE_BYTES_MAX = 256 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const PROBE_TIMEOUT_MS = 1000;

/** Why no connection came about, in words. */
export class ConnectError extends Error {}

export class Connection {
  #closed = false;
  readonly #client: Client;
  readonly #services: { [S in keyof Services]: ServiceDefinition };

  /** Connects. Throws a {@link ConnectError} with the reason in words. */
  static async open(
    address: Address,
    { timeoutMs = CONNECT_TIMEOUT_MS, signal }: OpenOptions = {},
  ): Promise<Connection> {
    const client = new Client(address.target, credentials.createInsecure(), {
      // A connection of our own, without the back-off of earlier ones, and never through a proxy of the environment.
      "grpc.use_local_subchannel_pool": 1,
      "grpc.enable_http_proxy": 0,
      "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
      "grpc.max_send_message_length": MESSAGE_BYTES_MAX,
      "grpc-node.flow_control_window": FLOW_CONTROL_BYTES,
    });
    const close = () => client.close();
    signal?.addEventListener("abort", close, { once: true });
    const state = signal?.aborted
      ? connectivityState.SHUTDOWN
      : await settled(client, Date.now() + timeoutMs);
    signal?.removeEventListener("abort", close);
    if (state === connectivityState.READY) return new Connection(client);
    if (state === connectivityState.SHUTDOWN) throw new ConnectError("this client is about to end");
    client.close();
    throw new ConnectError(
      state === connectivityState.CONNECTING
        ? `no answer within ${timeoutMs / 1000} s`
        : await whyNot(address),
    );
  }

  private constructor(client: Client) {
    this.#client = client;
    this.#services = { Browser: serviceDefinition("Browser"), Control: serviceDefinition("Control") };
  }

  /** Whether a call can be sent now. */
  get usable(): boolean {
    return !this.#closed && this.#client.getChannel().getConnectivityState(false) === connectivityState.READY;
  }

  /** Calls. Rejects with grpc-js's ServiceError. */
  call<S extends keyof Services, M extends keyof Services[S] & string>(
    service: S,
    rpc: M,
    request: Input<Rpc<S, M>["request"]>,
    options: RpcOptions = {},
  ): Promise<Rpc<S, M>["response"]> {
    const { path, requestSerialize, responseDeserialize } = this.#method(service, rpc);
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        metadataOf(options),
        { deadline: deadlineOf(options) },
        (error, response) => {
          options.signal?.removeEventListener("abort", cancel);
          if (error) reject(error);
          else resolve(response as Rpc<S, M>["response"]);
        },
      );
      const cancel = () => call.cancel();
      if (options.signal?.aborted) cancel();
      options.signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /** Calls what answers in parts; they are read as fast as they are taken. Throws grpc-js's ServiceError. */
  async *stream<S extends keyof Services, M extends keyof Services[S] & string>(
    service: S,
    rpc: M,
    request: Input<Rpc<S, M>["request"]>,
    options: RpcOptions = {},
  ): AsyncGenerator<Rpc<S, M>["response"], void> {
    const { path, requestSerialize, responseDeserialize } = this.#method(service, rpc);
    const call = this.#client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      metadataOf(options),
      { deadline: deadlineOf(options) },
    );
    const cancel = () => call.cancel();
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    try {
      yield* call;
    } finally {
      options.signal?.removeEventListener("abort", cancel);
      call.cancel();
    }
  }

  close(): void {
    this.#closed = true;
    this.#client.close();
  }

  #method(service: keyof Services, rpc: string): MethodDefinition<object, object> {
    const method = this.#services[service][rpc];
    if (!method) throw new Error(`${service} has no rpc ${rpc}`);
    return method;
  }
}

/** The first state that says whether the connection came about; CONNECTING where that took too long. */
function settled(client: Client, deadline: number): Promise<connectivityState> {
  const channel = client.getChannel();
  return new Promise((resolve) => {
    const look = (timedOut?: Error) => {
      const state = channel.getConnectivityState(true);
      const open = state === connectivityState.IDLE || state === connectivityState.CONNECTING;
      if (!open) resolve(state);
      else if (timedOut) resolve(connectivityState.CONNECTING);
      else channel.watchConnectivityState(state, deadline, look);
    };
    look();
  });
}

/** Asks the socket itself: grpc-js tells only that it failed. */
function whyNot({ socket }: Address): Promise<string> {
  return new Promise((resolve) => {
    const probe = net.connect(socket);
    probe.once("connect", () => {
      probe.destroy();
      resolve("what answers there does not speak gRPC");
    });
    probe.setTimeout(PROBE_TIMEOUT_MS, () => probe.destroy(new Error("no answer")));
    probe.once("error", (error: NodeJS.ErrnoException) =>
      resolve(WHY[error.code ?? ""] ?? error.code ?? error.message),
    );
  });
}

const WHY: Record<string, string> = {
  ENOENT: "nothing listens there",
  ECONNREFUSED: "nothing listens there",
  ENOTSOCK: "nothing listens there",
  EACCES: "it belongs to another user",
};

function metadataOf({ headers = {} }: RpcOptions): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

function deadlineOf({ deadlineMs }: RpcOptions): number {
  return deadlineMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + deadlineMs;
}
