// The gRPC door: the tools and the control plane, health and reflection, on every address.
import { chmodSync } from "node:fs";
import type { Http2Server } from "node:http2";
import {
  experimental,
  Server,
  ServerCredentials,
  type ServerInterceptor,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { protoDir } from "../../proto/wire/schema.ts";
import { serviceDefinition } from "../../proto/wire/service.ts";
import type { TlsIdentity } from "../admission/tls.ts";
import { type Address, hostPort, spellAddress } from "../config-schema/listen-address.ts";
import { makeWayForSocket } from "../core/socket-path.ts";
import { StartupError } from "../core/startup-error.ts";
import { RESPONSE_BYTES_MAX } from "../worker-process/worker-link.ts";
import { boundConnections, CONNECTION_BOUNDS, type ConnectionBounds } from "./connections.ts";
import { controlDefinition } from "./control-definition.ts";
import { healthDefinition } from "./health.ts";

/** The services, and what each call passes on its way to them. */
export interface Services {
  interceptors: ServerInterceptor[];
  browser: UntypedServiceImplementation;
  control: UntypedServiceImplementation;
  health: UntypedServiceImplementation;
}

/** Larger messages are refused by grpc-js itself; smaller ones that are still too large, by us, with a type. */
const RECEIVED_BYTES_MAX = 16 * 2 ** 20;
/** How long a server may take to let go of its connections. */
const SHUTDOWN_MS = 2000;

const SERVER_OPTIONS = {
  "grpc.max_receive_message_length": RECEIVED_BYTES_MAX,
  "grpc.max_send_message_length": RESPONSE_BYTES_MAX,
  // Idle clients keep their connection; dead ones are noticed.
  "grpc.keepalive_time_ms": 60_000,
  "grpc.keepalive_timeout_ms": 20_000,
  "grpc.keepalive_permit_without_calls": 1,
  // A proxy has the calls of many clients in one connection.
  "grpc.max_concurrent_streams": 1000,
};

/** Whoever reaches the socket is its owner; over TCP somebody may come. */
type Door = "socket" | "tcp";

/** An open door. */
export class GrpcServer implements AsyncDisposable {
  /** Where it listens, as clients write it. */
  readonly addresses: string[] = [];
  readonly #servers = new Map<Door, Server>();
  readonly #services: (door: Door) => Services;
  readonly #tls: TlsIdentity | undefined;
  readonly #bounds: ConnectionBounds;
  readonly #bounded = new Set<Http2Server>();

  private constructor(
    services: (door: Door) => Services,
    tls: TlsIdentity | undefined,
    bounds: ConnectionBounds,
  ) {
    this.#services = services;
    this.#tls = tls;
    this.#bounds = bounds;
  }

  /** Serves on all addresses, over TCP with TLS where there are certificates. Throws a Refusal where one is taken. */
  static async open(
    services: (door: Door) => Services,
    addresses: readonly Address[],
    tls?: TlsIdentity,
    bounds = CONNECTION_BOUNDS,
  ): Promise<GrpcServer> {
    const door = new GrpcServer(services, tls, bounds);
    try {
      for (const address of addresses) door.addresses.push(await door.#bind(address));
    } catch (error) {
      for (const server of door.#servers.values()) server.forceShutdown();
      throw error;
    }
    return door;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#servers.values()].map(shutDown));
  }

  /** By the server that took a call, whoever answers it knows the door. */
  #serverAt(door: Door): Server {
    const known = this.#servers.get(door);
    if (known) return known;
    const { interceptors, browser, control, health } = this.#services(door);
    const server = new Server({ ...SERVER_OPTIONS, interceptors });
    server.addService(serviceDefinition("Browser", "bytes"), browser);
    server.addService(controlDefinition(), control);
    server.addService(healthDefinition, health);
    reflection().addToServer(server);
    this.#servers.set(door, server);
    return server;
  }

  async #bind(address: Address): Promise<string> {
    if (address.kind === "tcp") {
      const port = await this.#listen(hostPort(address.host, address.port), address);
      return hostPort(address.host, port);
    }
    await makeWayForSocket(address.path);
    // From its first moment on, nobody else may connect.
    const before = process.umask(0o177);
    try {
      await this.#listen(`unix:${address.path}`, address);
    } finally {
      process.umask(before);
    }
    chmodSync(address.path, 0o600);
    return spellAddress(address);
  }

  #listen(target: string, address: Address): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const isTcp = address.kind === "tcp";
    const tls = isTcp ? this.#tls : undefined;
    const server = this.#serverAt(isTcp ? "tcp" : "socket");
    server.bindAsync(target, tls ? secured(tls) : ServerCredentials.createInsecure(), (error, port) => {
      if (error) return reject(notBound(address, error));
      this.#boundListenersOf(server);
      resolve(port);
    });
    return promise;
  }

  /** What has not been yet. */
  #boundListenersOf(server: Server): void {
    for (const listener of http2ServersOf(server).difference(this.#bounded)) {
      this.#bounded.add(listener);
      boundConnections(listener, this.#bounds);
    }
  }
}

/** grpc-js shows nobody its connections: here alone its insides are looked at. */
function http2ServersOf(server: Server): Set<Http2Server> {
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> };
  return new Set(http2Servers.keys());
}

/** Certificates can be handed over anew; a client's is asked for where there is an authority for it. */
function secured(tls: TlsIdentity): ServerCredentials {
  const asksClients = tls.material.clientCa !== undefined;
  // The parameters' names in grpc-js are the wrong way round: the first is whose identity it is, and may not be null.
  return experimental.createCertificateProviderServerCredentials(tls, asksClients ? tls : null, asksClients);
}

async function shutDown(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const deadline = setTimeout(resolve, SHUTDOWN_MS);
  server.tryShutdown(() => resolve());
  await promise;
  clearTimeout(deadline);
  server.forceShutdown();
}

function notBound(address: Address, error: Error): StartupError {
  const shown = spellAddress(address);
  const taken = /EADDRINUSE/.test(error.message);
  const why = taken ? "another program listens there" : error.message.replace(/^.*?errors: \[(.*)\]$/, "$1");
  return new StartupError(
    "unavailable",
    `Cannot listen at ${shown}: ${why}\nEnd that program, or choose another address with --listen or listen: in the configuration`,
  );
}

/** What clients may ask for by reflection: the public services, not the workers' own. */
function reflection(): ReflectionService {
  const files = ["troupe/v1/browser.proto", "troupe/v1/control.proto", "troupe/v1/errors.proto"];
  return new ReflectionService(loadSync(files, { includeDirs: [protoDir], keepCase: true }));
}
