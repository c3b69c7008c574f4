// Walls in a role's browser: each of its connections goes through this proxy, is checked, and only then made.
import { once } from "node:events";
import { type AddressInfo, createServer, isIP, type LookupFunction, type Server, Socket } from "node:net";
import { FailedConnections, netErrorOf } from "./failed-connections.ts";
import type { Resolve } from "./resolve.ts";
import {
  CONNECTED,
  FAILED,
  HANDSHAKE_BYTES_MAX,
  NO_LOGIN,
  readGreeting,
  readRequest,
  type Said,
} from "./socks.ts";
import { goesPast, tunnel, type Upstream } from "./upstream.ts";
import { admit, NOT_LISTED, passable, type WallRules, type Wanted } from "./wall.ts";

/** The browsers of twenty sessions hold at most 32 connections each. */
const CONNECTIONS_MAX = 2_000;
const HANDSHAKE_MS_MAX = 10_000;
/** Chrome itself gives a handshake 30 s. */
const CONNECT_MS_MAX = 25_000;
/** Keep-alive notices a server that has gone without closing the connection. */
const KEEP_ALIVE_MS = 60_000;
/** A TLS connection begins with a handshake record (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 22;

const BLOCKED = "net::ERR_BLOCKED_BY_ADMINISTRATOR";
/** An address that does not answer makes way for the next one. The last is waited for. */
const SEVERAL_ADDRESSES = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 500 };

/** The parts that a proxy is made from. */
export interface ProxyParts {
  rules: WallRules;
  resolve: Resolve;
  /** The proxy that this one connects through. */
  upstream?: Upstream | undefined;
}

/**
 * A running proxy. It speaks SOCKS 5, not HTTP, for three reasons. Pages' data and servers' faults pass unchanged. No
 * page can speak to it, because no request of a page begins like one of SOCKS. No refusal looks like a page.
 *
 * It asks for no login, because Chrome could not give one. Another program on this machine gains nothing by using it.
 * It makes only connections that the program can make itself, and fewer.
 */
export class FilteringProxy {
  readonly failures = new FailedConnections();
  readonly #server: Server;
  readonly #parts: ProxyParts;
  readonly #sockets = new Set<Socket>();

  /** Opens it on a loopback port of its own. */
  static async open(parts: ProxyParts): Promise<FilteringProxy> {
    const proxy = new FilteringProxy(parts);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  private constructor(parts: ProxyParts) {
    this.#parts = parts;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client));
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /** The address in the form of Chrome's --proxy-server. */
  get address(): string {
    return `socks5://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes it with all its connections. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(client: Socket): void {
    this.#keep(client);
    this.#serve(client).catch(() => client.destroy());
  }

  async #serve(client: Socket): Promise<void> {
    await read(client, readGreeting);
    client.write(NO_LOGIN);
    const wanted = await read(client, readRequest);
    const made = await this.#make(wanted);
    if (!made) return void client.end(FAILED);
    const { server, tls } = made;
    // The browser may have given up meanwhile.
    if (client.destroyed) return void server.destroy();
    client.write(CONNECTED);
    follow(client, server);
    if (tls === undefined) join(client, server);
    else this.#joinIf(client, server, { wanted, tls });
  }

  /** Returns the connection. If there is none, the reason is remembered. */
  async #make(wanted: Wanted): Promise<{ server: Socket; tls: boolean | undefined } | undefined> {
    const { host, port } = wanted;
    const { rules, resolve, upstream } = this.#parts;
    const admission = admit(wanted, rules);
    if (!admission.admitted) return this.#refuse(wanted, admission.reason);
    try {
      if (upstream && !goesPast(host, upstream)) {
        const server = await this.#connectThrough(upstream, wanted);
        this.failures.made(host, port);
        return { server, tls: admission.tls };
      }
      const checked = passable(wanted, await resolve(host), rules);
      if ("reason" in checked) return this.#refuse(wanted, checked.reason);
      const server = await this.#connect(wanted, checked.addresses);
      this.failures.made(host, port);
      return { server, tls: admission.tls };
    } catch (error) {
      this.failures.failed(host, port, { netError: netErrorOf(error as Error) });
      return undefined;
    }
  }

  #refuse({ host, port }: Wanted, reason: string): undefined {
    this.failures.failed(host, port, { netError: BLOCKED, reason });
  }

  /**
   * Connects through another proxy, which alone knows the names of its network. The addresses behind it cannot be
   * checked here.
   */
  async #connectThrough(upstream: Upstream, wanted: Wanted): Promise<Socket> {
    const server = await this.#reach(upstream);
    const timer = setTimeout(() => server.destroy(), CONNECT_MS_MAX);
    try {
      await tunnel(server, wanted);
      return server;
    } catch (error) {
      server.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #reach(upstream: Upstream): Promise<Socket> {
    try {
      return await this.#connect(upstream, await this.#parts.resolve(upstream.host));
    } catch (error) {
      throw Object.assign(new Error("no connection to the proxy", { cause: error }), {
        code: "ERR_UPSTREAM",
      });
    }
  }

  /** Connects to one of the addresses that were checked. Rejects with a system error. */
  async #connect({ host, port }: Wanted, addresses: readonly string[]): Promise<Socket> {
    const server = new Socket({ allowHalfOpen: true });
    this.#keep(server);
    const late = Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" });
    const timer = setTimeout(() => server.destroy(late), CONNECT_MS_MAX);
    const checked = addresses.map((address) => ({ address, family: isIP(address) }));
    const lookup: LookupFunction = (_host, _options, found) => found(null, checked);
    try {
      server.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
      server.connect({ host, port, lookup, ...SEVERAL_ADDRESSES });
      await once(server, "connect");
      return server;
    } finally {
      clearTimeout(timer);
    }
  }

  /** If only https is listed, only TLS may pass, and the other way round. The port alone does not decide that. */
  #joinIf(client: Socket, server: Socket, { wanted, tls }: { wanted: Wanted; tls: boolean }): void {
    client.once("data", (first: Buffer) => {
      client.pause();
      if ((first[0] === TLS_HANDSHAKE) === tls) {
        server.write(first);
        join(client, server);
      } else {
        this.#refuse(wanted, NOT_LISTED);
        client.resetAndDestroy();
        server.destroy();
      }
    });
  }

  /** Every broken connection ends with "close". An error without a listener would end the worker. */
  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Reads the next message of the handshake. Rejects if it is malformed, or takes too long. */
async function read<T>(client: Socket, parse: (bytes: Buffer) => Said<T>): Promise<T> {
  const signal = AbortSignal.timeout(HANDSHAKE_MS_MAX);
  let bytes = Buffer.alloc(0);
  for (;;) {
    const chunk = client.read() as Buffer | null;
    if (chunk) bytes = Buffer.concat([bytes, chunk]);
    const read = parse(bytes);
    if (read.said === "all") {
      if (bytes.length > read.length) client.unshift(bytes.subarray(read.length));
      return read.value;
    }
    if (read.said === "wrong" || bytes.length > HANDSHAKE_BYTES_MAX || client.readableEnded)
      throw new Error("no SOCKS");
    await once(client, "readable", { signal });
  }
}

/** Passes a server's reset on to the browser, and ends the server's connection with the browser's. */
function follow(client: Socket, server: Socket): void {
  server.once("error", () => client.resetAndDestroy());
  // Browsers never close only one half: they have given up what they end. A silent server would never end its half.
  client.once("end", () => client.destroy());
  client.once("close", () => server.destroy());
}

/** Passes on all data in both directions, and its end. */
function join(client: Socket, server: Socket): void {
  client.pipe(server);
  server.pipe(client);
}
