// The connections to the other daemons, with mutual TLS.
import {
  type Client,
  connectivityState,
  experimental,
  makeClientConstructor,
  type ServiceError,
} from "@grpc/grpc-js";
import { FLOW_CONTROL_BYTES, serviceDefinition } from "../../proto/wire/service.ts";
import type { TlsIdentity } from "../admission/tls.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { RESPONSE_BYTES_MAX } from "../worker-process/worker-link.ts";
import { meaning } from "./meant-daemon.ts";
import type { Pod } from "./membership.ts";
import { PEER_NAME } from "./peer-identity.ts";
import { PeerProblems } from "./peer-problems.ts";

const PeerClient = makeClientConstructor(serviceDefinition("Browser", "bytes"), "Browser");
/** The time to reach a daemon. Within a cluster an answer takes milliseconds. */
const CONNECT_MS = 1_000;

const OPTIONS = {
  "grpc.max_receive_message_length": RESPONSE_BYTES_MAX,
  "grpc.max_send_message_length": RESPONSE_BYTES_MAX,
  "grpc-node.flow_control_window": FLOW_CONTROL_BYTES,
  // A call that broke may have taken effect, so the transport never repeats it.
  "grpc.enable_retries": 0,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1_000,
  "grpc.keepalive_time_ms": 5_000,
  "grpc.keepalive_timeout_ms": 5_000,
  "grpc.use_local_subchannel_pool": 1,
  // Daemons are reached by their addresses, and their certificates name their part.
  "grpc.ssl_target_name_override": PEER_NAME,
  "grpc.default_authority": PEER_NAME,
};

/** Watches last, so they have a connection of their own and take no room from other calls. */
export type LinkUse = "calls" | "watches";
const UNREACHED = "this daemon cannot reach it: compare `peers` of both";
const CHECK = "/grpc.health.v1.Health/Check";

/** The connections by the incarnation of the daemon. */
export class PeerLinks implements Disposable {
  readonly problems: PeerProblems;
  readonly #tls: TlsIdentity;
  readonly #clock: Clock;
  readonly #clients = { calls: new Map<string, Client>(), watches: new Map<string, Client>() };

  constructor(tls: TlsIdentity, clock: Clock, log: Log) {
    this.#tls = tls;
    this.#clock = clock;
    this.problems = new PeerProblems(log);
  }

  /** Resolves with a client whose connection is open; undefined if the daemon cannot be reached. Nothing was sent. */
  async reach({ incarnation, address }: Pod, use: LinkUse = "calls"): Promise<Client | undefined> {
    if (address === undefined) return undefined;
    const client = this.#clients[use].get(incarnation) ?? this.#connected(incarnation, address, use);
    const channel = client.getChannel();
    if (channel.getConnectivityState(true) === connectivityState.READY)
      return this.#reached(incarnation, client);
    const { promise, resolve } = Promise.withResolvers<Client | undefined>();
    // grpc-js takes a date.
    const deadline = new Date(this.#clock.now() + CONNECT_MS);
    const look = (state: connectivityState) => {
      if (state === connectivityState.READY) return resolve(this.#reached(incarnation, client));
      if (state === connectivityState.TRANSIENT_FAILURE || state === connectivityState.SHUTDOWN)
        return resolve(undefined);
      channel.watchConnectivityState(state, deadline, (late) => {
        if (late) return resolve(undefined);
        // A closed channel that is asked to connect does so, and nothing closes it again.
        const isClosed = channel.getConnectivityState(false) === connectivityState.SHUTDOWN;
        look(isClosed ? connectivityState.SHUTDOWN : channel.getConnectivityState(true));
      });
    };
    look(channel.getConnectivityState(true));
    return await promise;
  }

  /** Finds out why a daemon cannot be reached, and notes it for operators. */
  explain(pod: Pod): void {
    const { calls, watches } = this.#clients;
    const client = calls.get(pod.incarnation) ?? watches.get(pod.incarnation);
    if (!client || this.problems.has(pod.incarnation, UNREACHED)) return;
    // The status of a call that finds no connection has the reason.
    const noted = (error: ServiceError | null) => {
      const isForgotten = !this.#known().has(pod.incarnation);
      if (error && !isForgotten) this.problems.found(pod, UNREACHED, reasonIn(error));
    };
    const deadline = this.#clock.now() + CONNECT_MS;
    client.makeUnaryRequest(
      CHECK,
      (bytes: Buffer) => bytes,
      (bytes) => bytes,
      Buffer.alloc(0),
      { deadline },
      noted,
    );
  }

  /** Closes the connections to a daemon that has ended. */
  forget(incarnation: string): void {
    for (const clients of Object.values(this.#clients)) {
      clients.get(incarnation)?.close();
      clients.delete(incarnation);
    }
  }

  /** Closes the connections to all daemons but these. */
  keepOnly(incarnations: readonly string[]): void {
    for (const each of this.#known()) if (!incarnations.includes(each)) this.forget(each);
    this.problems.keepOnly(incarnations);
  }

  [Symbol.dispose](): void {
    for (const each of this.#known()) this.forget(each);
  }

  #known(): Set<string> {
    return new Set(Object.values(this.#clients).flatMap((clients) => [...clients.keys()]));
  }

  #reached(incarnation: string, client: Client): Client {
    this.problems.mended(incarnation, UNREACHED);
    return client;
  }

  #connected(incarnation: string, address: string, use: LinkUse): Client {
    // A connection that is made anew uses the certificates of that moment.
    const credentials = experimental.createCertificateProviderChannelCredentials(this.#tls, this.#tls);
    const client = new PeerClient(address, credentials, { ...OPTIONS, interceptors: [meaning(incarnation)] });
    this.#clients[use].set(incarnation, client);
    return client;
  }
}

/** Returns the reason in grpc-js's words, without the time of the try. */
function reasonIn({ details }: ServiceError): string {
  const [, reason = details] =
    /Last error: (.*?)(?: \([\d-]+T[^)]*\))?\. Resolution note/s.exec(details) ?? [];
  return reason.slice(0, 200);
}
