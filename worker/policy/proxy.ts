// The wall around a role's browser: every connection that it makes goes through here, is checked, and only then made.
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

/** Twenty sessions' browsers hold 32 connections each at most. */
const CONNECTIONS_MAX = 2_000;
const HANDSHAKE_MS_MAX = 10_000;
/** Chrome itself gives a handshake 30 s. */
const CONNECT_MS_MAX = 25_000;
/** A server that has gone without a word is noticed. */
const KEEP_ALIVE_MS = 60_000;
/** A TLS connection begins with a handshake record (RFC 8446, 5.1). */
const TLS_HANDSHAKE = 22;

const BLOCKED = "net::ERR_BLOCKED_BY_ADMINISTRATOR";
/** One that does not answer makes way for the next; the last is waited for. */
const SEVERAL_ADDRESSES = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 500 };

/** What a proxy is made from. */
export interface ProxyParts {
  rules: WallRules;
  resolve: Resolve;
  /** What it goes on through. */
  upstream?: Upstream | undefined;
}

/**
 * A running proxy. It speaks SOCKS 5, not HTTP: what pages send arrives as they sent it and servers' faults arrive as they
 * are, no page can speak to it (no request that a page can make begins like one of SOCKS), and no refusal looks like a page.
 *
 * It asks for no login, which Chrome could not give. Whoever else on this machine finds it gains nothing: it makes the
 * connections that he can make himself, and fewer.
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

  /** As Chrome's --proxy-server wants it. */
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

  /** The connection, or nothing where there is none: why is remembered. */
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

  /** By way of another proxy, which alone knows the names of its network: what it leads to is not ours to check. */
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

  /** Connects to one of the very addresses that were checked. Rejects with a system error. */
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

  /** Where only https is listed, nothing but TLS goes there, and the other way round: a port does not tell them apart. */
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

  /** However its connection breaks off, it is over by "close": an error that nobody hears would end the worker. */
  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** The next message of the handshake. Rejects where it is none, or takes too long. */
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

/** A server that breaks off is seen to break off, and the browser's end is the server's. */
function follow(client: Socket, server: Socket): void {
  server.once("error", () => client.resetAndDestroy());
  // Browsers never close one half alone: what they end they have given up, and a silent server would never end its half.
  client.once("end", () => client.destroy());
  client.once("close", () => server.destroy());
}

/** Passes on all that comes, and how it ends. */
function join(client: Socket, server: Socket): void {
  client.pipe(server);
  server.pipe(client);
}
