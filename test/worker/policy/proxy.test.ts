// Tests the proxy by itself: its connections, the data that it passes on, and the failures that it remembers.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { after, test } from "node:test";
import { FilteringProxy } from "../../../worker/policy/proxy.ts";
import { type Resolve, systemResolver } from "../../../worker/policy/resolve.ts";
import type { WallRules } from "../../../worker/policy/wall.ts";

const ANYTHING: WallRules = { origins: undefined, listed: [], daemonPorts: [] };
const open: { close(): unknown }[] = [];
after(() => {
  for (const each of open) each.close();
});

test("data and its end pass through unchanged in both directions", async () => {
  const server = await serve((socket) =>
    socket.once("data", (data: Buffer) => socket.end(`got ${data.toString()}`)),
  );
  const proxy = await proxyWith();
  assert.equal(await talk(proxy, "127.0.0.1", server, "hello"), "got hello");
  assert.equal(await talk(proxy, "localhost", server, "again"), "got again");
});

test("a server's reset reaches the browser", async () => {
  const server = await serve((socket) => socket.once("data", () => socket.resetAndDestroy()));
  const { client, reply } = await dial(await proxyWith(), "127.0.0.1", server);
  assert.equal(reply, 0);
  client.write("hello");
  const [error] = (await once(client, "error")) as [NodeJS.ErrnoException];
  assert.equal(error.code, "ECONNRESET");
});

test("a server's reset before the browser's first data reaches the browser", async () => {
  const sockets: Socket[] = [];
  const server = await serve((socket) => sockets.push(socket));
  const here: Resolve = async () => ["127.0.0.1"];
  const origins = [`https://shop.example:${server}`];
  const { client, reply } = await dial(
    await proxyWith({ origins, listed: origins }, here),
    "shop.example",
    server,
  );
  assert.equal(reply, 0);
  const broken = once(client, "error") as Promise<[NodeJS.ErrnoException]>;
  sockets[0]?.resetAndDestroy();
  assert.equal((await broken)[0].code, "ECONNRESET");
});

test("a connection that the browser gave up ends, however silent the server is", async () => {
  const port = await listening(silent());
  const here: Resolve = async () => ["127.0.0.1"];
  const origins = [`https://shop.example:${port}`];
  const undecided = { origins, listed: origins };
  for (const [rules, words] of [
    [{}, "hello"],
    [undecided, "\x16\x03\x01"],
    [undecided, ""],
  ] as const) {
    const { client, reply } = await dial(await proxyWith(rules, here), "shop.example", port);
    assert.equal(reply, 0);
    client.resume();
    client.end(Buffer.from(words, "latin1"));
    await once(client, "close");
  }
});

test("the reason of a failed connection is remembered until one succeeds", async () => {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  const proxy = await proxyWith();
  const word = "net::ERR_SOCKS_CONNECTION_FAILED";
  assert.equal((await dial(proxy, "127.0.0.1", port)).reply, 1);
  const address = `https://127.0.0.1:${port}/x`;
  assert.deepEqual(proxy.failures.behind(word, address), { netError: "net::ERR_CONNECTION_REFUSED" });
  assert.equal(
    proxy.failures.inPlainWords(`Failed: ${word}`, address),
    "Failed: net::ERR_CONNECTION_REFUSED",
  );
  assert.equal((await dial(proxy, "no-such-host.invalid", 80)).reply, 1);
  assert.deepEqual(proxy.failures.behind(word, "http://no-such-host.invalid/"), {
    netError: "net::ERR_NAME_NOT_RESOLVED",
  });
  // Other failures, or failures elsewhere, are not explained by the proxy.
  assert.equal(proxy.failures.behind("net::ERR_EMPTY_RESPONSE", address), undefined);
  assert.equal(proxy.failures.behind(word, "https://127.0.0.1:1/"), undefined);
  const again = createServer().listen(port, "127.0.0.1");
  open.push(again);
  await once(again, "listening");
  assert.equal((await dial(proxy, "127.0.0.1", port)).reply, 0);
  assert.equal(proxy.failures.behind(word, address), undefined);
});

test("a name that leads to a metadata service is refused, but its other addresses may be used", async () => {
  for (const addresses of [
    ["169.254.169.254"],
    ["::ffff:169.254.169.254"],
    ["64:ff9b::a9fe:a9fe"],
    ["fd00:ec2::254"],
    ["fe80::1"],
  ]) {
    const proxy = await proxyWith({}, async () => addresses);
    assert.equal((await dial(proxy, "innocent.example", 80)).reply, 1);
    const why = proxy.failures.behind("net::ERR_SOCKS_CONNECTION_FAILED", "http://innocent.example/");
    assert.equal(why?.reason, "it is a cloud metadata address", String(addresses[0]));
  }
  // Only the checked and allowed addresses of a name are tried.
  const server = await serve((socket) => socket.end("here"));
  const proxy = await proxyWith({}, async () => ["169.254.169.254", "127.0.0.1"]);
  assert.equal(await talk(proxy, "innocent.example", server, "hello"), "here");
});

test("a name is resolved once per connection, which uses the checked address", async () => {
  const server = await serve((socket) => socket.end("here"));
  const answers = [["127.0.0.1"], ["169.254.169.254"]];
  const proxy = await proxyWith({}, async () => answers.shift() ?? []);
  assert.equal(await talk(proxy, "rebinding.example", server, "hello"), "here");
  assert.equal((await dial(proxy, "rebinding.example", server)).reply, 1);
  assert.equal(answers.length, 0);
});

test("the daemon's own address is refused under any name, unless it is listed", async () => {
  const server = await serve((socket) => socket.end("the daemon"));
  const rules = { daemonPorts: [server] };
  const proxy = await proxyWith(rules, async (host) => (host.endsWith(".example") ? ["127.0.0.1"] : [host]));
  for (const host of ["127.0.0.1", "0.0.0.0", "127.1.2.3", "::1", "::ffff:127.0.0.1", "mine.example"])
    assert.equal((await dial(proxy, host, server)).reply, 1, host);
  const listing = await proxyWith({ ...rules, listed: [`http://127.0.0.1:${server}`] });
  assert.equal(await talk(listing, "127.0.0.1", server, "hello"), "the daemon");
});

test("with a list of origins, only these are connected to, and only by their scheme", async () => {
  const server = await serve((socket) => socket.once("data", () => socket.end("here")));
  const here: Resolve = async () => ["127.0.0.1"];
  const list = (...origins: string[]) => proxyWith({ origins, listed: origins }, here);
  const proxy = await list(`http://*.shop.example:${server}`);
  assert.equal(await talk(proxy, "a.shop.example", server, "GET / HTTP/1.1"), "here");
  assert.equal(await talk(proxy, "SHOP.example.", server, "GET / HTTP/1.1"), "here");
  for (const host of ["evilshop.example", "shop.example.evil.example", "127.0.0.1"])
    assert.equal((await dial(proxy, host, server)).reply, 1, host);
  assert.equal((await dial(proxy, "shop.example", server + 1)).reply, 1);
  const secure = await list(`https://shop.example:${server}`);
  const { client } = await dial(secure, "shop.example", server);
  client.write("GET / HTTP/1.1");
  await assert.rejects(once(client, "end"), { code: "ECONNRESET" });
  assert.equal(await talk(secure, "shop.example", server, "\x16\x03\x01"), "here");
});

test("a client that does not speak SOCKS is disconnected", async () => {
  const proxy = await proxyWith();
  for (const bytes of [
    "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
    "\x04\x01",
    "\x05\x01\x02",
    "\x05\x01\x00\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50",
    "\x05\x01\x00\x05\x01\x00\x03\x03a/b\x00\x50",
  ]) {
    const client = socketTo(proxy);
    client.on("error", () => undefined);
    client.write(Buffer.from(bytes, "latin1"));
    client.resume();
    await once(client, "close");
  }
});

async function proxyWith(rules: Partial<WallRules> = {}, resolve?: Resolve): Promise<FilteringProxy> {
  const proxy = await FilteringProxy.open({
    rules: { ...ANYTHING, ...rules },
    resolve: resolve ?? systemResolver(),
  });
  open.push(proxy);
  return proxy;
}

async function serve(talking: (socket: Socket) => unknown): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    talking(socket);
  });
  open.push(server);
  return await listening(server);
}

/** A server that never answers and never hangs up. */
function silent(): Server {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy()).resume();
  });
  open.push(server, { close: () => sockets.map((socket) => socket.destroy()) });
  return server;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function socketTo(proxy: FilteringProxy): Socket {
  return connect(Number(proxy.address.split(":").at(-1)), "127.0.0.1");
}

/** Returns a connection through the proxy and the proxy's reply code: 0 if it was made. */
async function dial(
  proxy: FilteringProxy,
  host: string,
  port: number,
): Promise<{ client: Socket; reply: number | undefined }> {
  const client = socketTo(proxy);
  const name = Buffer.from(host, "latin1");
  client.write(Buffer.from([5, 1, 0]));
  client.write(Buffer.from([5, 1, 0, 3, name.length, ...name, port >> 8, port & 255]));
  let bytes = Buffer.alloc(0);
  while (bytes.length < 12) {
    const chunk = client.read() as Buffer | null;
    if (chunk) bytes = Buffer.concat([bytes, chunk]);
    else await once(client, "readable");
  }
  if (bytes.length > 12) client.unshift(bytes.subarray(12));
  return { client, reply: bytes[3] };
}

async function talk(proxy: FilteringProxy, host: string, port: number, words: string): Promise<string> {
  const { client, reply } = await dial(proxy, host, port);
  assert.equal(reply, 0, `no connection to ${host}`);
  client.write(Buffer.from(words, "latin1"));
  return Buffer.concat(await Array.fromAsync(client as AsyncIterable<Buffer>)).toString();
}
