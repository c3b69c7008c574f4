// One gRPC connection to a daemon. Calls and streams carry plain objects; a signal cancels them and a deadline ends
// them.
import net from "node:net";
import tls, { type PeerCertificate, type SecureContext } from "node:tls";
import {
  Client,
  type ClientWritableStream,
  connectivityState,
  credentials,
  Metadata,
  type MethodDefinition,
  type ServiceDefinition,
} from "@grpc/grpc-js";
import type { BrowserMethods, ControlMethods, Input } from "../../proto/gen/troupe.ts";
import { FLOW_CONTROL_BYTES, serviceDefinition } from "../../proto/wire/service.ts";
import type { Address } from "./address.ts";
import {
  authorizationOf,
  type Credentials,
  CredentialsError,
  secureContext,
  speaksTls,
} from "./credentials.ts";
import { diagnoseConnection } from "./diagnose.ts";

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
  /** The credentials shown to the daemon, and the authority that this client trusts. */
  access?: Credentials | undefined;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const MESSAGE_BYTES_MAX = 256 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/** Says in words why there is no connection. `mend`: what has to be done first. */
export class ConnectError extends Error {
  readonly mend: string | undefined;

  constructor(message: string, mend?: string) {
    super(message);
    this.mend = mend;
  }
}

export class Connection {
  #closed = false;
  readonly #client: Client;
  readonly #authorization: string | undefined;
  readonly #services: { [S in keyof Services]: ServiceDefinition };

  /** Connects. Throws a {@link ConnectError} with the reason in words. */
  static async open(
    address: Address,
    { timeoutMs = CONNECT_TIMEOUT_MS, signal, access }: OpenOptions = {},
  ): Promise<Connection> {
    const { context, authorization } = shownTo(address, access);
    const { channel, options } = channelTo(address, context);
    const client = new Client(address.target, channel, {
      ...options,
      // The connection is its own, without the back-off of earlier ones. It never uses a proxy of the environment.
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
    if (state === connectivityState.READY) return new Connection(client, authorization);
    if (state === connectivityState.SHUTDOWN) throw new ConnectError("this client is about to end");
    client.close();
    if (state === connectivityState.CONNECTING)
      throw new ConnectError(`no answer within ${timeoutMs / 1000} s`);
    const { reason, mend } = await diagnoseConnection(address, context, access?.cert !== undefined);
    throw new ConnectError(reason, mend);
  }

  private constructor(client: Client, authorization: string | undefined) {
    this.#client = client;
    this.#authorization = authorization;
    this.#services = { Browser: serviceDefinition("Browser"), Control: serviceDefinition("Control") };
  }

  /** Returns true if a call can be sent now. */
  get usable(): boolean {
    return !this.#closed && this.#client.getChannel().getConnectivityState(false) === connectivityState.READY;
  }

  /** Makes one call. Resolves with the answer, before its status has come. Rejects with grpc-js's ServiceError. */
  call<S extends keyof Services, M extends keyof Services[S] & string>(
    service: S,
    rpc: M,
    request: Input<Rpc<S, M>["request"]>,
    options: RpcOptions = {},
  ): Promise<Rpc<S, M>["response"]> {
    const { path, requestSerialize, responseDeserialize } = this.#method(service, rpc);
    return new Promise((resolve, reject) => {
      const answered = (bytes: Buffer) => {
        const response = responseDeserialize(bytes);
        options.signal?.removeEventListener("abort", cancel);
        resolve(response as Rpc<S, M>["response"]);
        return response;
      };
      const call = this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        answered,
        request,
        this.#metadata(options),
        { deadline: deadlineOf(options) },
        (error) => {
          options.signal?.removeEventListener("abort", cancel);
          if (error) reject(error);
        },
      );
      const cancel = () => call.cancel();
      if (options.signal?.aborted) cancel();
      options.signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  /**
   * Calls an rpc that streams its answer. Reads parts as fast as the caller takes them. Throws grpc-js's ServiceError.
   */
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
      this.#metadata(options),
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

  /**
   * Calls an rpc that takes a stream, no faster than the daemon reads. Rejects with grpc-js's ServiceError, or with the
   * error of the parts.
   */
  async upload<S extends keyof Services, M extends keyof Services[S] & string>(
    service: S,
    rpc: M,
    parts: AsyncIterable<Input<Rpc<S, M>["request"]>>,
    options: RpcOptions = {},
  ): Promise<Rpc<S, M>["response"]> {
    const { path, requestSerialize, responseDeserialize } = this.#method(service, rpc);
    const { promise, resolve, reject } = Promise.withResolvers<Rpc<S, M>["response"]>();
    const call = this.#client.makeClientStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      this.#metadata(options),
      { deadline: deadlineOf(options) },
      (error, response) => (error ? reject(error) : resolve(response as Rpc<S, M>["response"])),
    );
    const cancel = () => call.cancel();
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    // The parts may fail first, and the cancelled call after them.
    promise.catch(() => undefined);
    try {
      for await (const part of parts) if (!call.write(part)) await Promise.race([drained(call), promise]);
      call.end();
      return await promise;
    } catch (error) {
      call.cancel();
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", cancel);
    }
  }

  close(): void {
    this.#closed = true;
    this.#client.close();
  }

  #metadata({ headers = {} }: RpcOptions): Metadata {
    const metadata = new Metadata();
    if (this.#authorization !== undefined) metadata.set("authorization", this.#authorization);
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return metadata;
  }

  #method(service: keyof Services, rpc: string): MethodDefinition<object, object> {
    const method = this.#services[service][rpc];
    if (!method) throw new Error(`${service} has no rpc ${rpc}`);
    return method;
  }
}

/** Resolves to the first state that decides the connecting, or to CONNECTING after the deadline. */
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

/** Throws a ConnectError if the credentials cannot be used. */
function shownTo({ socket }: Address, access: Credentials | undefined) {
  if (!access || "path" in socket) return {};
  try {
    const context = speaksTls(socket.host, access) ? secureContext(access) : undefined;
    return { context, authorization: authorizationOf(access) };
  } catch (error) {
    if (error instanceof CredentialsError) throw new ConnectError(error.message, error.mend);
    throw error;
  }
}

/**
 * TLS has no server name for an IP address, but grpc-js would send one. This asks for another name and checks the
 * address.
 */
function channelTo({ socket }: Address, context: SecureContext | undefined) {
  if (!context || "path" in socket) return { channel: credentials.createInsecure() };
  const { host } = socket;
  if (net.isIP(host) === 0) return { channel: credentials.createFromSecureContext(context) };
  const checkServerIdentity = (_name: string, certificate: PeerCertificate) =>
    tls.checkServerIdentity(host, certificate);
  return {
    channel: credentials.createFromSecureContext(context, { checkServerIdentity }),
    options: { "grpc.ssl_target_name_override": "localhost" },
  };
}

function drained(call: ClientWritableStream<object>): Promise<void> {
  return new Promise((resolve) => void call.once("drain", resolve));
}

function deadlineOf({ deadlineMs }: RpcOptions): number {
  return deadlineMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + deadlineMs;
}
