// The gRPC door: the tools, the control plane, health and reflection, on every address.

import { once } from "node:events";
import { chmodSync } from "node:fs";
import type { Http2Server } from "node:http2";
import { createServer, type Server as Listener, Server as NetServer } from "node:net";
import type { TLSSocket } from "node:tls";
import {
  experimental,
  Server,
  ServerCredentials,
  type ServerInterceptor,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { type Address, hostPort, spellAddress } from "../../proto/machine/address.ts";
import { within } from "../../proto/machine/within.ts";
import { serviceDefinition } from "../../proto/wire/service.ts";
import type { TlsIdentity } from "../admission/tls.ts";
import type { ListenAddress } from "../core/inherited-sockets.ts";
import { makeWayForSocket } from "../core/socket-path.ts";
import { StartupError } from "../core/startup-error.ts";
import { portHolder } from "../state/port-holder.ts";
import { RESPONSE_BYTES_MAX } from "../worker-process/worker-link.ts";
import {
  boundConnections,
  CONNECTION_BOUNDS,
  type ConnectionBounds,
  type Connections,
} from "./connections.ts";
import { controlDefinition } from "./control-definition.ts";
import { healthDefinition } from "./health.ts";
import { addReflection } from "./reflection.ts";

/** The services, and the interceptors of their calls. */
export interface Services {
  interceptors: ServerInterceptor[];
  browser: UntypedServiceImplementation;
  control: UntypedServiceImplementation;
  health: UntypedServiceImplementation;
  /** The service for other daemons, at their door. */
  peer?: UntypedServiceImplementation;
}

/** grpc-js itself refuses larger messages. Smaller ones beyond Troupe's own bound get an error with a type. */
const RECEIVED_BYTES_MAX = 16 * 2 ** 20;
/** The time that a server may take to close its connections. */
const SHUTDOWN_MS = 2000;

const SERVER_OPTIONS = {
  "grpc.max_receive_message_length": RECEIVED_BYTES_MAX,
  "grpc.max_send_message_length": RESPONSE_BYTES_MAX,
  // Idle clients keep their connection. Keepalive finds dead ones.
  "grpc.keepalive_time_ms": 60_000,
  "grpc.keepalive_timeout_ms": 20_000,
  "grpc.keepalive_permit_without_calls": 1,
};

/** Returns false for a TLS connection that is to be closed. Its certificate is read once, not at each call. */
type AdmitsConnection = (connection: TLSSocket) => boolean;

/** A caller at the socket is its owner. A caller over TCP may be any program. */
type Door = "socket" | "tcp";

/** The gRPC door, once it is open. */
export class GrpcServer implements AsyncDisposable {
  /** The addresses as clients write them. */
  readonly addresses: string[] = [];
  readonly #servers = new Map<Door, Server>();
  readonly #services: (door: Door) => Services;
  readonly #tls: TlsIdentity | undefined;
  readonly #bounds: ConnectionBounds;
  readonly #admits: AdmitsConnection | undefined;
  readonly #bounded = new Map<Http2Server, Connections>();
  /** The listeners at sockets that another process has bound. */
  readonly #adopted: Listener[] = [];

  private constructor(
    services: (door: Door) => Services,
    tls: TlsIdentity | undefined,
    bounds: ConnectionBounds,
    admits: AdmitsConnection | undefined,
  ) {
    this.#services = services;
    this.#tls = tls;
    this.#bounds = bounds;
    this.#admits = admits;
  }

  /** Serves on all addresses. TCP uses TLS if there are certificates. Throws a StartupError if an address is taken. */
  static async open(
    services: (door: Door) => Services,
    addresses: readonly ListenAddress[],
    tls?: TlsIdentity,
    bounds = CONNECTION_BOUNDS,
    admits?: AdmitsConnection,
  ): Promise<GrpcServer> {
    const door = new GrpcServer(services, tls, bounds, admits);
    try {
      for (const address of addresses) door.addresses.push(await door.#bind(address));
    } catch (error) {
      for (const listener of door.#adopted) listener.close();
      for (const server of door.#servers.values()) server.forceShutdown();
      throw error;
    }
    return door;
  }

  /**
   * Takes no more connections over TCP, and sends the clients there away. Resolves when none has an idle connection
   * that it may use. The calls that came meanwhile are served.
   */
  async sendElsewhere(): Promise<void> {
    const server = this.#servers.get("tcp");
    if (!server) return;
    const listeners = [...http2ServersOf(server)];
    // An HTTP/2 server that is closed refuses the next calls of its connections. This closes the port alone.
    for (const listener of listeners) NetServer.prototype.close.call(listener);
    await Promise.all(listeners.map(async (listener) => this.#bounded.get(listener)?.leave()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const left = this.#adopted.map(async (listener) => {
      const closed = once(listener, "close");
      listener.close();
      await closed;
    });
    await Promise.all([...this.#servers.values()].map((server) => shutDown(server, left)));
  }

  /** Each door has a server of its own, so that the handlers know a call's door. */
  #serverAt(door: Door): Server {
    const known = this.#servers.get(door);
    if (known) return known;
    const { interceptors, browser, control, health, peer } = this.#services(door);
    const streams = { "grpc.max_concurrent_streams": this.#bounds.streamsMax };
    const server = new Server({ ...SERVER_OPTIONS, ...streams, interceptors });
    server.addService(serviceDefinition("Browser", "bytes"), browser);
    server.addService(controlDefinition(), control);
    server.addService(healthDefinition, health);
    if (peer) server.addService(serviceDefinition("Peer"), peer);
    addReflection(server);
    this.#servers.set(door, server);
    return server;
  }

  async #bind(address: ListenAddress): Promise<string> {
    if (address.fd !== undefined) return this.#adopt(address, address.fd);
    if (address.kind === "tcp") {
      const port = await this.#listen(hostPort(address.host, address.port), address);
      return hostPort(address.host, port);
    }
    await makeWayForSocket(address.path);
    // The umask keeps other users from the socket from its first moment on.
    const before = process.umask(0o177);
    try {
      await this.#listen(`unix:${address.path}`, address);
    } finally {
      process.umask(before);
    }
    chmodSync(address.path, 0o600);
    return spellAddress(address);
  }

  /** Serves at a socket that the service manager listens at. It stays there when the daemon ends. */
  async #adopt(address: Address, fd: number): Promise<string> {
    const server = this.#serverAt("socket");
    const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
    this.#boundListenersOf(server);
    const listener = createServer((socket) => injector.injectConnection(socket));
    listener.maxConnections = this.#bounds.connectionsMax;
    const listening = once(listener, "listening");
    listener.listen({ fd });
    await listening.catch(async (error: Error) => {
      throw await notBound(address, error);
    });
    this.#adopted.push(listener);
    return spellAddress(address);
  }

  #listen(target: string, address: Address): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const isTcp = address.kind === "tcp";
    const tls = isTcp ? this.#tls : undefined;
    const server = this.#serverAt(isTcp ? "tcp" : "socket");
    server.bindAsync(target, tls ? secured(tls) : ServerCredentials.createInsecure(), (error, port) => {
      if (error) return void notBound(address, error).then(reject, reject);
      this.#boundListenersOf(server);
      resolve(port);
    });
    return promise;
  }

  #boundListenersOf(server: Server): void {
    for (const listener of http2ServersOf(server).difference(this.#bounded)) {
      this.#bounded.set(listener, boundConnections(listener, this.#bounds));
      const admits = this.#admits;
      if (admits) listener.on("secureConnection", (socket: TLSSocket) => admits(socket) || socket.destroy());
    }
  }
}

/**
 * Only this function reads private fields of grpc-js. Its options bound a connection's idle time, but neither the
 * number of connections nor the time of a TLS handshake.
 */
function http2ServersOf(server: Server): Set<Http2Server> {
  const { http2Servers } = server as unknown as { http2Servers: ReadonlyMap<Http2Server, unknown> };
  return new Set(http2Servers.keys());
}

/**
 * Makes credentials with renewable certificates. They ask for client certificates if there is an authority for those.
 */
function secured(tls: TlsIdentity): ServerCredentials {
  const asksClients = tls.material.clientCa !== undefined;
  // The parameter names of grpc-js are swapped: the first is the server's own identity, and may not be null.
  return experimental.createCertificateProviderServerCredentials(tls, asksClients ? tls : null, asksClients);
}

/** `left` are listeners of others, whose connections grpc-js does not wait for. */
async function shutDown(server: Server, left: readonly Promise<void>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.tryShutdown(() => resolve());
  await within({ timeMs: SHUTDOWN_MS }, Promise.all([promise, ...left]));
  server.forceShutdown();
}

async function notBound(address: Address, error: Error): Promise<StartupError> {
  const shown = spellAddress(address);
  const isTaken = address.kind === "tcp" && /EADDRINUSE/.test(error.message);
  const why = isTaken
    ? `taken by ${await portHolder(address)}`
    : error.message.replace(/^.*?errors: \[(.*)\]$/, "$1");
  return new StartupError(
    "unavailable",
    `Cannot listen at ${shown}: ${why}\nEnd that program, or choose another address with --listen or listen: in the configuration`,
  );
}
