// A TCP relay on loopback that stands between two parties: it delays, holds and breaks their connections.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Its disposal ends all connections. */
export interface Relay extends AsyncDisposable {
  port: number;
  /** The bytes that clients have sent. */
  readonly sent: number;
  /** The number of open connections. */
  readonly connections: number;
  /** Holds what clients send from now on over the connections that are open. Resolves when something is held. */
  hold(): Promise<void>;
  /** Breaks the clients' ends of these connections. The held bytes stay on their way. */
  breakHeld(): void;
  /** Lets the held bytes arrive. Resolves when the server has ended these connections. */
  deliver(): Promise<void>;
  /** Lets nothing pass in either direction, also over new connections, which are accepted. */
  silence(): void;
  /** Breaks all connections and refuses new ones. */
  part(): void;
  /** Lets everything pass again, over new connections. */
  heal(): void;
}

interface Pair {
  client: Socket;
  server: Socket;
  held: Buffer[] | undefined;
}

export async function startRelay(target: number): Promise<Relay> {
  const pairs = new Set<Pair>();
  let mode: "open" | "silent" | "parted" = "open";
  let sent = 0;
  let holding = Promise.withResolvers<void>();
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (mode === "parted") return void client.resetAndDestroy();
    const server = connect({ port: target, host: "127.0.0.1", allowHalfOpen: true });
    const pair: Pair = { client, server, held: undefined };
    pairs.add(pair);
    server.on("error", () => client.destroy());
    client.on("data", (bytes: Buffer) => {
      sent += bytes.length;
      if (mode === "silent") return;
      if (!pair.held) return void server.write(bytes);
      pair.held.push(bytes);
      holding.resolve();
    });
    client.on("close", () => pair.held || server.end());
    server.on("data", (bytes) => {
      if (mode === "open" && !client.destroyed) client.write(bytes);
    });
    server.on("end", () => {
      client.end();
      server.end();
    });
    server.on("close", () => pairs.delete(pair));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = () => {
    for (const { client, server } of pairs) for (const each of [client, server]) each.destroy();
  };
  const heldPairs = () => [...pairs].filter(({ held }) => held);
  return {
    port: (server.address() as AddressInfo).port,
    get sent() {
      return sent;
    },
    get connections() {
      return pairs.size;
    },
    hold() {
      holding = Promise.withResolvers();
      for (const pair of pairs) pair.held ??= [];
      return holding.promise;
    },
    breakHeld() {
      for (const { client } of heldPairs()) client.resetAndDestroy();
    },
    async deliver() {
      const all = heldPairs().map(async ({ server, held = [] }) => {
        const closed = once(server, "close");
        for (const bytes of held) server.write(bytes);
        server.end();
        await closed;
      });
      await Promise.all(all);
    },
    silence() {
      mode = "silent";
    },
    part() {
      mode = "parted";
      breakAll();
    },
    heal() {
      mode = "open";
      breakAll();
    },
    async [Symbol.asyncDispose]() {
      breakAll();
      server.close();
    },
  };
}

/** Returns the URL with the relay's port. */
export function through(relay: Relay, url: string): string {
  return Object.assign(new URL(url), { port: String(relay.port) }).href;
}
